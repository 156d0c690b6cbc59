from functools import cache


@cache
def place(n, row, columns, left, right):
    if row == n:
        return 1
    total = 0
    for c in range(n):
        bit = 1 << c
        if bit & (columns | left | right):
            continue
        total += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


n = int(input())
while n != 0:
    print(place(n, 0, 0, 0, 0))
    n = int(input())
