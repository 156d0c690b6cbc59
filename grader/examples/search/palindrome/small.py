from itertools import product


def small(words):
    if words == 1:
        for n in range(1, 7):
            for letters in product("abc", repeat=n):
                yield "".join(letters) + "\n"
