import math
import random
import sys


def main():
    n = int(sys.argv[1])
    queen = list(range(n))
    random.shuffle(queen)
    up = [0] * (2 * n)
    down = [0] * (2 * n)
    for i in range(n):
        up[i + queen[i]] += 1
        down[i - queen[i] + n] += 1

    def add(i, k):
        up[i + queen[i]] += k
        down[i - queen[i] + n] += k

    def swap(i, j):
        add(i, -1)
        add(j, -1)
        queen[i], queen[j] = queen[j], queen[i]
        add(i, 1)
        add(j, 1)

    def attacks(i):
        return up[i + queen[i]] + down[i - queen[i] + n] - 2

    while any(attacks(i) for i in range(n)):
        t = 2.0
        while t > 0.05:
            for _ in range(n):
                i, j = random.sample(range(n), 2)
                before = attacks(i) + attacks(j)
                swap(i, j)
                d = attacks(i) + attacks(j) - before
                if d > 0 and random.random() >= math.exp(-d / t):
                    swap(i, j)
            if not any(attacks(i) for i in range(n)):
                break
            t *= 0.97
    print(" ".join(str(q + 1) for q in queen))


main()
