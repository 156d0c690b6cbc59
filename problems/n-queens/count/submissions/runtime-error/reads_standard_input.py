def place(columns, left, right):
    if columns == everything:
        return 1
    total = 0
    free = everything & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        total += place(columns | queen, (left | queen) << 1, (right | queen) >> 1)
    return total


n = int(input())
everything = (1 << n) - 1
print(place(0, 0, 0))
