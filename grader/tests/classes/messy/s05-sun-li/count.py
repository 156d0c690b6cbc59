import sys


def count(n):
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

    # mirror images: the left half of the first row counts twice
    total = 0
    for c in range(n // 2):
        bit = 1 << c
        total += 2 * place(bit, bit << 1, bit >> 1)
    if n % 2 == 1:
        bit = 1 << n // 2
        total += place(bit, bit << 1, bit >> 1)
    return total


n = int(sys.argv[1])
if n > 13:
    sys.exit("too slow for n > 13")
print(count(n))
