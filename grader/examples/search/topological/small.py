from itertools import product


def small(words):
    if words > 0 and words % 2 == 0:
        for n in range(1, 5):
            edges = list(product(range(1, n + 1), repeat=2))
            for chosen in product(edges, repeat=words // 2 - 1):
                yield f"{n} {len(chosen)}\n" + "".join("%d %d\n" % edge for edge in chosen)
