import random
import sys

n = int(sys.argv[1])


def attempt():
    queens = list(range(n))
    rising = bytearray(2 * n)
    falling = bytearray(2 * n)
    placed = 0
    for _ in range(4 * n):
        if placed == n:
            break
        pick = placed + int(random.random() * (n - placed))
        column = queens[pick]
        if rising[placed + column] or falling[placed - column + n]:
            continue
        queens[pick] = queens[placed]
        queens[placed] = column
        rising[placed + column] = falling[placed - column + n] = 1
        placed += 1

    def change(row, step):
        rising[row + queens[row]] += step
        falling[row - queens[row] + n] += step

    def free(row):
        return rising[row + queens[row]] < 2 and falling[row - queens[row] + n] < 2

    def exchange(a, b):
        change(a, -1)
        change(b, -1)
        queens[a], queens[b] = queens[b], queens[a]
        change(a, 1)
        change(b, 1)

    for row in range(placed, n):
        change(row, 1)
    for row in range(placed, n):
        for _ in range(7000):
            if free(row):
                break
            other = random.randrange(n)
            if other != row:
                exchange(row, other)
                if not (free(row) and free(other)):
                    exchange(row, other)
        else:
            return None
    return queens


queens = None
while queens is None:
    queens = attempt()
print("Solution:", *(column + 1 for column in queens))
