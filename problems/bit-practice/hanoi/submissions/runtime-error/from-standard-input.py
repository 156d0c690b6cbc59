n, k = map(int, input().split())
for d in range(1, n + 1):
    moves = (k + (1 << d - 1)) >> d
    print((moves if (n - d) % 2 else -moves) % 3 + 1, end=" ")
print()
