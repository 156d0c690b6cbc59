import sys

n = int(sys.argv[1])
queens = []


def place(row):
    if row == n:
        return True
    for column in range(n):
        if all(q != column and abs(q - column) != row - r for r, q in enumerate(queens)):
            queens.append(column)
            if place(row + 1):
                return True
            queens.pop()
    return False


place(0)
for row in range(n - 1):
    print("".join("Q" if column == queens[row] else "#" for column in range(n)))
