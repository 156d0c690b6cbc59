import sys

n, k = map(int, sys.argv[1:3])


def state(n, k, a, b, c):
    if n == 0:
        return []
    if k < 2 ** (n - 1):
        return state(n - 1, k, a, c, b) + [a]
    return state(n - 1, k - 2 ** (n - 1), c, b, a) + [b]


print("After", k, "moves:", *state(n, k, 1, 3, 2))
