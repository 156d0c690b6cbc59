from bisect import bisect_right, insort

input()
seen, count = [], 0
for x in map(int, input().split()):
    count += len(seen) - bisect_right(seen, x)
    insort(seen, x)
print(count)
