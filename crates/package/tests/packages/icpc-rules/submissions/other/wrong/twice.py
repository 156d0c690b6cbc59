def twice(n):
    return n + 1
