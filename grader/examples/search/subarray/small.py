from itertools import product


def small(words):
    if words > 1:
        for values in product([0, 1, -1, 2], repeat=words - 1):
            yield f"{len(values)}\n{' '.join(map(str, values))}\n"
