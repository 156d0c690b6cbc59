import sys
from functools import lru_cache


@lru_cache(maxsize=None)
def solutions(n):
    full = (1 << n) - 1

    def place(columns, left, right):
        if columns == full:
            return 1
        total = 0
        free = full & ~(columns | left | right)
        while free:
            bit = free & -free
            free ^= bit
            total += place(columns | bit, (left | bit) << 1, (right | bit) >> 1)
        return total

    return place(0, 0, 0)


for word in sys.stdin.read().split():
    if word == "0":
        break
    print(solutions(int(word)))
