import sys

n = int(sys.argv[1])
print("square =", n * n)
