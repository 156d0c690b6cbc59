"""Initial search and final search."""
import random
import sys


def initial(n):
    q = list(range(n))
    a = [0] * (2 * n)
    b = [0] * (2 * n)
    i = 0
    for _ in range(3 * n):
        if i == n:
            break
        j = random.randint(i, n - 1)
        q[i], q[j] = q[j], q[i]
        if a[i + q[i]] == 0 and b[i - q[i] + n] == 0:
            a[i + q[i]] = 1
            b[i - q[i] + n] = 1
            i += 1
    rest = list(range(i, n))
    for i in rest:
        a[i + q[i]] += 1
        b[i - q[i] + n] += 1
    return q, a, b, rest


def final(n, q, a, b, rest):
    def move(i, j):
        for k in (i, j):
            a[k + q[k]] -= 1
            b[k - q[k] + n] -= 1
        q[i], q[j] = q[j], q[i]
        for k in (i, j):
            a[k + q[k]] += 1
            b[k - q[k] + n] += 1

    def hit(i):
        return a[i + q[i]] > 1 or b[i - q[i] + n] > 1

    for i in rest:
        tries = 0
        while hit(i):
            tries += 1
            if tries > 5000:
                return False
            j = random.randint(0, n - 1)
            if i != j:
                move(i, j)
                if hit(i) or hit(j):
                    move(i, j)
    return True


n = int(sys.argv[1])
while True:
    q, a, b, rest = initial(n)
    if final(n, q, a, b, rest):
        break
for c in q:
    print(c + 1)
