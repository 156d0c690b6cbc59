import math
import random
import sys

n = int(sys.argv[1])
random.seed(1)
queens = list(range(1, n + 1))


def energy():
    up, down = {}, {}
    for row, column in enumerate(queens):
        up[row + column] = up.get(row + column, 0) + 1
        down[row - column] = down.get(row - column, 0) + 1
    return sum(count - 1 for count in up.values()) + sum(count - 1 for count in down.values())


temperature = 10.0
now = energy()
while temperature > 0.01 and now > 0:
    for _ in range(20):
        a, b = random.randrange(n), random.randrange(n)
        queens[a], queens[b] = queens[b], queens[a]
        following = energy()
        if following <= now or random.random() < math.exp((now - following) / temperature):
            now = following
        else:
            queens[a], queens[b] = queens[b], queens[a]
    temperature *= 0.5
print(*queens)
