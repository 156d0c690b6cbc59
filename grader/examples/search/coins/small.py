from itertools import combinations


def small(words):
    for n in [words - 2] if words > 2 else []:
        for amount in range(12):
            for coins in combinations(range(1, 9), n):
                yield f"{amount} {n}\n{' '.join(map(str, coins))}\n"
                yield f"{amount} {n}\n{' '.join(map(str, coins[::-1]))}\n"
