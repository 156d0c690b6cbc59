"""Bit masks and mirror symmetry: right for every n, but CPython is too slow for n = 15."""
import sys


def search(columns, left, right):
    total = 0
    free = everything & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        taken = columns | queen
        if taken == everything:
            return total + 1
        total += search(taken, (left | queen) << 1, (right | queen) >> 1)
    return total


n = int(sys.argv[1])
everything = (1 << n) - 1
answer = 0
for column in range(n // 2):
    bit = 1 << column
    answer += 2 * search(bit, bit << 1, bit >> 1)
if n % 2:
    bit = 1 << (n // 2)
    answer += search(bit, bit << 1, bit >> 1)
print(answer)
