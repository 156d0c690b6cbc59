import random
import sys

n = int(sys.argv[1])
if n > 1000:
    print("n is too large")
    sys.exit()

while True:
    queens = list(range(1, n + 1))
    random.shuffle(queens)
    up = [0] * (2 * n + 2)
    down = [0] * (2 * n + 2)
    for i in range(n):
        up[i + queens[i]] += 1
        down[i - queens[i] + n] += 1

    def swap(i, j):
        for k in i, j:
            up[k + queens[k]] -= 1
            down[k - queens[k] + n] -= 1
        queens[i], queens[j] = queens[j], queens[i]
        for k in i, j:
            up[k + queens[k]] += 1
            down[k - queens[k] + n] += 1

    def attacks(i):
        return up[i + queens[i]] + down[i - queens[i] + n] - 2

    for _ in range(10):
        for i in range(n):
            for _ in range(30):
                if attacks(i) == 0:
                    break
                j = random.randrange(n)
                if j == i:
                    continue
                before = attacks(i) + attacks(j)
                swap(i, j)
                if attacks(i) + attacks(j) >= before:
                    swap(i, j)
    if not any(attacks(i) for i in range(n)):
        print(*queens, sep="\n")
        break
