from itertools import permutations


def turned(board):
    # a quarter turn clockwise
    result = [0] * 8
    for row, column in enumerate(board):
        result[column] = 7 - row
    return tuple(result)


seen = set()
total = 0
for board in permutations(range(8)):
    if len({r + c for r, c in enumerate(board)}) < 8:
        continue
    if len({r - c for r, c in enumerate(board)}) < 8:
        continue
    if board in seen:
        continue
    total += 1
    for picture in (board, board[::-1]):
        for _ in range(4):
            seen.add(picture)
            picture = turned(picture)
print(total)
