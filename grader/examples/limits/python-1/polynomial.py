# QS1 of Sosic and Gu
import random
import sys

n = int(sys.argv[1])


def is_attacked(i):
    return up[i + queen[i]] > 1 or down[i - queen[i] + n] > 1


def collisions():
    return sum(k - 1 for k in up if k > 1) + sum(k - 1 for k in down if k > 1)


def remove(i):
    c = 0
    up[i + queen[i]] -= 1
    if up[i + queen[i]] > 0:
        c += 1
    down[i - queen[i] + n] -= 1
    if down[i - queen[i] + n] > 0:
        c += 1
    return c


def add(i):
    c = 0
    up[i + queen[i]] += 1
    if up[i + queen[i]] > 1:
        c += 1
    down[i - queen[i] + n] += 1
    if down[i - queen[i] + n] > 1:
        c += 1
    return c


def swap(i, j):
    change = -remove(i) - remove(j)
    queen[i], queen[j] = queen[j], queen[i]
    return change + add(i) + add(j)


def search():
    c = collisions()
    improved = True
    while improved:
        improved = False
        for i in range(n):
            for j in range(i + 1, n):
                if is_attacked(i) or is_attacked(j):
                    change = swap(i, j)
                    if change < 0:
                        c += change
                        improved = True
                        if c == 0:
                            return True
                    else:
                        swap(i, j)
    return c == 0


while True:
    queen = list(range(n))
    random.shuffle(queen)
    up = [0] * (2 * n)
    down = [0] * (2 * n)
    for i in range(n):
        up[i + queen[i]] += 1
        down[i - queen[i] + n] += 1
    if search():
        break
print(*[q + 1 for q in queen])
