import sys

n, *ends = map(int, sys.stdin.read().split())
total, reach = 0, -(10**10)
for left, right in sorted(zip(ends[::2], ends[1::2])):
    total += max(0, right - max(left, reach))
    reach = max(reach, right)
print(total)
