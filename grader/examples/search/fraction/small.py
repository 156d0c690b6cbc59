from itertools import product


def small(words):
    if words == 4:
        for a, b, c, d in product([0, 1, 2, -1], [1, 2, 3], [0, 1, -1], [1, 2]):
            yield f"{a} {b} {c} {d}\n"
