import sys


def safe(board, col):
    row = len(board)
    return all(c != col and abs(c - col) != row - r for r, c in enumerate(board))


def count(n, board):
    if len(board) == n:
        return 1
    return sum(count(n, board + [c]) for c in range(n) if safe(board, c))


known = {}
for word in sys.stdin.read().split():
    n = int(word)
    if n == 0:
        break
    if n not in known:
        known[n] = count(n, [])
    print(known[n])
