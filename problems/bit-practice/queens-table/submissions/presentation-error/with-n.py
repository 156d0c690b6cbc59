import sys

known = {}


def place(n, row, columns, left, right):
    if row == n:
        return 1
    total = 0
    free = ((1 << n) - 1) & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        total += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


for n in map(int, sys.stdin.read().split()):
    if n == 0:
        break
    if n not in known:
        known[n] = place(n, 0, 0, 0, 0)
    print(n, ":", known[n])
