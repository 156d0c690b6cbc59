import math
import random
import sys

n = int(sys.argv[1])


def energy(q):
    up = [0] * (2 * n)
    down = [0] * (2 * n)
    e = 0
    for i in range(n):
        e += up[i + q[i]] + down[i - q[i] + n]
        up[i + q[i]] += 1
        down[i - q[i] + n] += 1
    return e


q = list(range(n))
random.shuffle(q)
e = energy(q)
while e > 0:
    t = 1.0
    while t > 0.05 and e > 0:
        i, j = random.randrange(n), random.randrange(n)
        q[i], q[j] = q[j], q[i]
        f = energy(q)
        if f <= e or random.random() < math.exp((e - f) / t):
            e = f
        else:
            q[i], q[j] = q[j], q[i]
        t *= 0.999
print(*[c + 1 for c in q])
