def numbers(first, last):
    return range(first, last + 1)
