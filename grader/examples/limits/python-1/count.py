import sys

n = int(sys.argv[1])
full = (1 << n) - 1


def solve(cols, left, right):
    if cols == full:
        return 1
    total = 0
    free = full & ~(cols | left | right)
    while free:
        bit = free & -free
        free ^= bit
        total += solve(cols | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


print(solve(0, 0, 0))
