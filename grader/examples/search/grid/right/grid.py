n, m = map(int, input().split())
rows = [input().strip() for _ in range(n)]
free = {(i, j) for i in range(n) for j in range(m) if rows[i][j] == "."}
layer, steps = {(0, 0)}, 0
while layer and (n - 1, m - 1) not in layer:
    free -= layer
    layer = {(i + a, j + b) for i, j in layer for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} & free
    steps += 1
print(steps if layer else -1)
