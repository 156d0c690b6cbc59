"""Sosic and Gu: random draws place nearly all queens, exchanges repair the last few."""
import random
import sys


def attempt(n):
    queens = list(range(n))
    rising = bytearray(2 * n)
    falling = bytearray(2 * n)
    draw = random.random
    placed = 0
    for _ in range(4 * n):
        if placed == n:
            break
        pick = placed + int(draw() * (n - placed))
        column = queens[pick]
        if rising[placed + column] or falling[placed - column + n]:
            continue
        queens[pick] = queens[placed]
        queens[placed] = column
        rising[placed + column] = falling[placed - column + n] = 1
        placed += 1

    def put(row, step):
        rising[row + queens[row]] += step
        falling[row - queens[row] + n] += step

    def attacked(row):
        return rising[row + queens[row]] > 1 or falling[row - queens[row] + n] > 1

    def exchange(a, b):
        put(a, -1)
        put(b, -1)
        queens[a], queens[b] = queens[b], queens[a]
        put(a, 1)
        put(b, 1)

    for row in range(placed, n):
        put(row, 1)
    for row in range(placed, n):
        tries = 0
        while attacked(row):
            tries += 1
            if tries > 7000:
                return None
            other = random.randrange(n)
            if other == row:
                continue
            exchange(row, other)
            if attacked(row) or attacked(other):
                exchange(row, other)
    return queens


n = int(sys.argv[1])
queens = None
while queens is None:
    queens = attempt(n)
print(" ".join(str(column + 1) for column in queens))
