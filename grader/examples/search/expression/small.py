from itertools import product

NUMBERS, SIGNS = ["2", "3", "1", "0", "1000000000"], "+-*"


def sums(words):
    """All expressions of so many words."""
    for first in range(1, words + 1, 2):
        for left in terms(first):
            if first == words:
                yield left
            elif words - first > 1:
                yield from (f"{left} {sign} {right}" for sign, right in product(SIGNS, sums(words - first - 1)))


def terms(words):
    if words == 1:
        yield from NUMBERS
    elif words > 2:
        yield from (f"( {inner} )" for inner in sums(words - 2))


def small(words):
    yield from (text + "\n" for text in sums(words))
