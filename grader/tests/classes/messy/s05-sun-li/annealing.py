import random
import sys

from simanneal import Annealer


class Queens(Annealer):
    def move(self):
        a, b = random.sample(range(len(self.state)), 2)
        self.state[a], self.state[b] = self.state[b], self.state[a]

    def energy(self):
        n = len(self.state)
        up = len({i + c for i, c in enumerate(self.state)})
        down = len({i - c for i, c in enumerate(self.state)})
        return 2 * n - up - down


n = int(sys.argv[1])
queens = Queens(random.sample(range(1, n + 1), n))
state, energy = queens.anneal()
print(*state)
