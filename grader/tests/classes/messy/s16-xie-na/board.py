import sys


def solve(n, row, cols, left, right, board):
    if row == n:
        return True
    for c in range(n):
        if c in cols or row + c in left or row - c in right:
            continue
        board[row][c] = "Q"
        if solve(n, row + 1, cols | {c}, left | {row + c}, right | {row - c}, board):
            return True
        board[row][c] = "#"
    return False


n = int(sys.argv[1])
board = [["#"] * n for _ in range(n)]
solve(n, 0, set(), set(), set(), board)
for line in board:
    print(" ".join(line))
