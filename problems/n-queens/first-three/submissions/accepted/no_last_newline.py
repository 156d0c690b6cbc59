import sys


def first(row, columns, left, right):
    """Yields solutions in numerical order."""
    if row == n:
        yield list(queens)
        return
    for column in range(n):
        bit = 1 << column
        if bit & (columns | left | right):
            continue
        queens[row] = column + 1
        yield from first(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)


def count(columns, left, right):
    if columns == everything:
        return 1
    total = 0
    free = everything & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        total += count(columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return total


n = int(sys.stdin.readline())
everything = (1 << n) - 1
queens = [0] * n
lines = []
for solution in first(0, 0, 0, 0):
    lines.append(" ".join(map(str, solution)))
    if len(lines) == 3:
        break
lines.append(str(count(0, 0, 0)))
sys.stdout.write("\n".join(lines))
