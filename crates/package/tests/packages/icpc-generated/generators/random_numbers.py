import random
import sys

random.seed(int(sys.argv[1]))
print(*(random.randint(1, 100) for _ in range(abs(int(sys.argv[2])))))
