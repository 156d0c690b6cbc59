import math
import random
import sys

n = int(sys.argv[1])
queens = list(range(n))
random.shuffle(queens)
up = [0] * (2 * n)
down = [0] * (2 * n)


def lift(i):
    a, b = i + queens[i], i - queens[i] + n
    up[a] -= 1
    down[b] -= 1
    return up[a] + down[b]


def put(i):
    a, b = i + queens[i], i - queens[i] + n
    up[a] += 1
    down[b] += 1
    return up[a] + down[b] - 2


energy = 0
for i in range(n):
    energy += put(i)
temperature = 1.0
while energy > 0:
    i, j = random.randrange(n), random.randrange(n)
    if i == j:
        continue
    before = lift(i) + lift(j)
    queens[i], queens[j] = queens[j], queens[i]
    after = put(i) + put(j)
    if after <= before or random.random() < math.exp((before - after) / temperature):
        energy += after - before
    else:
        lift(i), lift(j)
        queens[i], queens[j] = queens[j], queens[i]
        put(i), put(j)
    temperature = max(0.2, temperature * 0.999)
print(" ".join(str(q + 1) for q in queens))
