import sys
from math import hypot

n, *values = map(int, sys.stdin.read().split())
points = sorted(set(zip(values[::2], values[1::2])))


def chain(points):
    hull = []
    for x, y in points:
        while len(hull) > 1:
            (a, b), (c, d) = hull[-2:]
            if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                break
            hull.pop()
        hull.append((x, y))
    return hull


ring = chain(points) + chain(points[::-1])
print(sum(hypot(a - c, b - d) for (a, b), (c, d) in zip(ring, ring[1:])))
