n = int(input())
cols = [False] * n
up = [False] * (2 * n)
down = [False] * (2 * n)
queens = []
total = 0


def place(row):
    global total
    if row == n:
        total += 1
        if total <= 3:
            print(*[c + 1 for c in queens])
        return
    for c in range(n):
        if cols[c] or up[row + c] or down[row - c + n]:
            continue
        cols[c] = up[row + c] = down[row - c + n] = True
        queens.append(c)
        place(row + 1)
        queens.pop()
        cols[c] = up[row + c] = down[row - c + n] = False


place(0)
print(total)
