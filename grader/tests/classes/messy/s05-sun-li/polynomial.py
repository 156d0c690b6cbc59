import random
import sys

n = int(sys.argv[1])
if n > 2000:
    sys.exit("too large for me")


def attacks(q):
    up, down = {}, {}
    for i, c in enumerate(q):
        up[i + c] = up.get(i + c, 0) + 1
        down[i - c] = down.get(i - c, 0) + 1
    return up, down


while True:
    q = list(range(n))
    random.shuffle(q)
    up, down = attacks(q)

    def load(i):
        return up.get(i + q[i], 0) + down.get(i - q[i], 0)

    def add(i, d):
        up[i + q[i]] = up.get(i + q[i], 0) + d
        down[i - q[i]] = down.get(i - q[i], 0) + d

    def swap(i, j):
        add(i, -1)
        add(j, -1)
        q[i], q[j] = q[j], q[i]
        add(i, 1)
        add(j, 1)

    for _ in range(10):
        for i in range(n):
            for _ in range(30):
                if load(i) == 2:
                    break
                j = random.randrange(n)
                if i == j:
                    continue
                before = load(i) + load(j)
                swap(i, j)
                if load(i) + load(j) >= before:
                    swap(i, j)
        if all(load(i) == 2 for i in range(n)):
            print(*q)
            sys.exit()
