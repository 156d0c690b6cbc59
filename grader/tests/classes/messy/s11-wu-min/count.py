def place(n, row, cols, left, right):
    if row == n:
        return 1
    total = 0
    free = ((1 << n) - 1) & ~(cols | left | right)
    while free:
        bit = free & -free
        free ^= bit
        total += place(n, row + 1, cols | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


n = int(input())
print(place(n, 0, 0, 0, 0))
