import sys

n = int(sys.argv[1])
total = 0


def place(queens):
    global total
    row = len(queens)
    if row == n:
        total += 1
        if total <= 3:
            print(*queens)
        return
    for c in range(1, n + 1):
        if all(c != q and abs(c - q) != row - r for r, q in enumerate(queens)):
            place(queens + [c])


place([])
print(total)
