from itertools import product


def small(words):
    if words % 2 and words > 1:
        # Points of a small square, as many as there are at most 4096 inputs for.
        side = {1: 5, 2: 4, 3: 3, 4: 3}.get(words // 2, 2)
        for points in product(product(range(side), repeat=2), repeat=words // 2):
            yield f"{len(points)}\n" + "".join("%d %d\n" % point for point in points)
