n = int(input())
found = 0


def place(queens):
    global found
    if len(queens) == n:
        found += 1
        print(*queens)
        return
    row = len(queens)
    for column in range(1, n + 1):
        if found < 3 and all(q != column and abs(q - column) != row - r for r, q in enumerate(queens)):
            place(queens + [column])


place([])
