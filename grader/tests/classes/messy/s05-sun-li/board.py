import sys


def place(n, queens):
    row = len(queens)
    if row == n:
        return queens
    for column in range(n):
        if all(column != c and abs(column - c) != row - r for r, c in enumerate(queens)):
            found = place(n, queens + [column])
            if found:
                return found
    return None


n = int(sys.argv[1])
for column in place(n, []):
    print("#" * column + "Q" + "#" * (n - 1 - column))
