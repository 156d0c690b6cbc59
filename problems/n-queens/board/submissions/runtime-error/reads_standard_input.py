n = int(input())
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
for queen in queens:
    print("#" * queen + "Q" + "#" * (n - queen - 1))
