import math
import random
import sys

def energy(queens):
    n = len(queens)
    return sum(1 for i in xrange(n) for j in xrange(i) if abs(queens[i] - queens[j]) == i - j)

n = int(sys.argv[1])
queens = range(1, n + 1)
random.shuffle(queens)
temperature = 1.0
now = energy(queens)
while now > 0:
    a, b = random.randrange(n), random.randrange(n)
    queens[a], queens[b] = queens[b], queens[a]
    following = energy(queens)
    if following <= now or random.random() < math.exp((now - following) / temperature):
        now = following
    else:
        queens[a], queens[b] = queens[b], queens[a]
    temperature *= 0.9995
for column in queens:
    print column,
