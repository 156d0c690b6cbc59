import math
import random
import sys


def anneal(n):
    """One cooling from a random permutation; returns it when no two queens attack each other, else None."""
    queens = random.sample(range(n), n)
    rising = [0] * (2 * n)
    falling = [0] * (2 * n)

    def add(row):
        up, down = row + queens[row], row - queens[row] + n
        rising[up] += 1
        falling[down] += 1
        return rising[up] + falling[down] - 2

    def remove(row):
        up, down = row + queens[row], row - queens[row] + n
        rising[up] -= 1
        falling[down] -= 1
        return -rising[up] - falling[down]

    def exchange(a, b):
        change = remove(a) + remove(b)
        queens[a], queens[b] = queens[b], queens[a]
        return change + add(a) + add(b)

    energy = sum(add(row) for row in range(n))
    temperature = 1.0
    while temperature > 0.05:
        for _ in range(5 * n):
            if energy == 0:
                return queens
            a, b = random.randrange(n), random.randrange(n)
            if a == b:
                continue
            change = exchange(a, b)
            if change <= 0 or random.random() < math.exp(-change / temperature):
                energy += change
            else:
                exchange(a, b)
        temperature *= 0.95
    return None


n = int(sys.argv[1])
solution = None
while solution is None:
    solution = anneal(n)
print(*(column + 1 for column in solution))
