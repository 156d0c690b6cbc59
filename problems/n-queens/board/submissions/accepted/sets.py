import sys


def place(row, n, queens, columns, rising, falling):
    if row == n:
        return True
    for column in range(n):
        if column in columns or row + column in rising or row - column in falling:
            continue
        queens.append(column)
        if place(row + 1, n, queens, columns | {column}, rising | {row + column}, falling | {row - column}):
            return True
        queens.pop()
    return False


n = int(sys.argv[1])
queens = []
place(0, n, queens, frozenset(), frozenset(), frozenset())
for queen in queens:
    print("#" * queen + "Q" + "#" * (n - queen - 1))
