import sys


def place(row, columns, left, right):
    global total
    if row == n:
        total += 1
        if total <= 3:
            answer.extend(queens)
        return
    free = everything & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        queens[row] = bit.bit_length()
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)


n = int(sys.stdin.readline())
everything = (1 << n) - 1
queens = [0] * n
answer = []
total = 0
place(0, 0, 0, 0)
print(*answer, total)
