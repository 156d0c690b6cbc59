import sys

total = 0
known = {}


def place(full, columns, left, right):
    global total
    if columns == full:
        total += 1
        return
    free = full & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        place(full, columns | bit, (left | bit) << 1, (right | bit) >> 1)


for line in sys.stdin:
    for word in line.split():
        n = int(word)
        if n == 0:
            sys.exit()
        if n not in known:
            place((1 << n) - 1, 0, 0, 0)
            known[n] = total
        print(known[n])
