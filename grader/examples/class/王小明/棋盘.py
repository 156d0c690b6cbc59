import sys

n = int(sys.argv[1])
queens = []


def place(row):
    if row == n:
        return True
    for c in range(n):
        if all(c != q and abs(c - q) != row - r for r, q in enumerate(queens)):
            queens.append(c)
            if place(row + 1):
                return True
            queens.pop()
    return False


place(0)
for q in queens:
    print("#" * q + "Q" + "#" * (n - q - 1))
