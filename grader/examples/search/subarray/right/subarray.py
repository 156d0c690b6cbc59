input()
best, total, start = None, 0, 1
for i, x in enumerate(map(int, input().split()), 1):
    if total <= 0:
        total, start = 0, i
    total += x
    found = (-total, i - start, start, i)
    if best is None or found < best:
        best = found
print(-best[0], best[2], best[3])
