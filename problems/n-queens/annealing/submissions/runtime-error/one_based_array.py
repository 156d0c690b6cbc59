import math
import random
import sys

n = int(sys.argv[1])
queens = [i + 1 for i in range(n)]


def energy():
    pairs = 0
    for i in range(1, n + 1):
        for j in range(i + 1, n + 1):
            if abs(queens[i] - queens[j]) == j - i:
                pairs += 1
    return pairs


temperature = 10.0
now = energy()
while now > 0:
    a, b = random.randint(1, n), random.randint(1, n)
    queens[a], queens[b] = queens[b], queens[a]
    following = energy()
    if following <= now or random.random() < math.exp((now - following) / temperature):
        now = following
    else:
        queens[a], queens[b] = queens[b], queens[a]
    temperature *= 0.999
print(*queens[1:])
