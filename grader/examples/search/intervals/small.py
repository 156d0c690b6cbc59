from itertools import product


def small(words):
    if words > 1 and words % 2:
        pairs = [(l, r) for l, r in product(range(-1, 4), repeat=2) if l < r]
        for chosen in product(pairs, repeat=words // 2):
            yield f"{len(chosen)}\n" + "".join(f"{l} {r}\n" for l, r in chosen)
