from itertools import product


def small(words):
    if words % 3 == 2:
        for n in range(1, 4):
            edges = [(a, b, c) for a, b in product(range(1, n + 1), repeat=2) for c in (0, 1, 3)]
            for chosen in product(edges, repeat=words // 3):
                yield f"{n} {len(chosen)}\n" + "".join("%d %d %d\n" % edge for edge in chosen)
