import random
import sys


class Board:
    def __init__(self, n):
        self.n = n
        self.queens = list(range(n))
        random.shuffle(self.queens)
        self.rising = [0] * (2 * n)
        self.falling = [0] * (2 * n)
        for row in range(n):
            self.count(row, 1)

    def count(self, row, step):
        self.rising[row + self.queens[row]] += step
        self.falling[row - self.queens[row] + self.n] += step

    def attacks(self, row):
        return self.rising[row + self.queens[row]] + self.falling[row - self.queens[row] + self.n] - 2

    def exchange(self, a, b):
        self.count(a, -1)
        self.count(b, -1)
        self.queens[a], self.queens[b] = self.queens[b], self.queens[a]
        self.count(a, 1)
        self.count(b, 1)

    def solve(self):
        for _ in range(500):
            attacked = [row for row in range(self.n) if self.attacks(row) > 0]
            if not attacked:
                return True
            for row in attacked:
                for _ in range(10):
                    if self.attacks(row) == 0:
                        break
                    other = random.randrange(self.n)
                    if other == row:
                        continue
                    before = self.attacks(row) + self.attacks(other)
                    self.exchange(row, other)
                    if self.attacks(row) + self.attacks(other) >= before:
                        self.exchange(row, other)
        return False


def main():
    n = int(sys.argv[1])
    board = Board(n)
    while not board.solve():
        board = Board(n)
    print(" ".join(str(column + 1) for column in board.queens))


main()
