import random
import sys

n = int(sys.argv[1])


def attempt():
    queens = list(range(n))
    rising = [0] * (2 * n)
    falling = [0] * (2 * n)
    for row in range(n):
        for _ in range(50):
            pick = row + int(random.random() * (n - row))
            column = queens[pick]
            if not rising[row + column] and not falling[row - column + n]:
                break
        queens[pick], queens[row] = queens[row], column
        rising[row + column] += 1
        falling[row - column + n] += 1

    def put(row, step):
        rising[row + queens[row]] += step
        falling[row - queens[row] + n] += step

    def attacked(row):
        return rising[row + queens[row]] > 1 or falling[row - queens[row] + n] > 1

    for row in range(n):
        tries = 0
        while attacked(row):
            tries += 1
            if tries > 5000:
                return None
            other = random.randrange(n)
            if other == row:
                continue
            for step in (-1, 1):
                put(row, step)
                put(other, step)
                if step == -1:
                    queens[row], queens[other] = queens[other], queens[row]
            if attacked(row) or attacked(other):
                for step in (-1, 1):
                    put(row, step)
                    put(other, step)
                    if step == -1:
                        queens[row], queens[other] = queens[other], queens[row]
    return queens


queens = None
while queens is None:
    queens = attempt()
print(" ".join(map(str, queens)))
