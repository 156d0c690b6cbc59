FULL = (1 << 8) - 1


def count(columns, left, right):
    if columns == FULL:
        return 1
    total = 0
    free = FULL & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        total += count(columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


print(count(0, 0, 0))
