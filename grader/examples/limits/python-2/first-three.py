n = int(input())
solutions = []


def ok(board, col):
    row = len(board)
    for r, c in enumerate(board):
        if c == col or abs(c - col) == row - r:
            return False
    return True


def solve(board):
    if len(board) == n:
        solutions.append(board)
        return
    for col in range(1, n + 1):
        if ok(board, col):
            solve(board + [col])


solve([])
for s in solutions[:3]:
    print(" ".join(map(str, s)))
print(len(solutions))
