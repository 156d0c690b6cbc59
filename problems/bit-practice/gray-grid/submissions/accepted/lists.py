import sys


def gray(n):
    if n == 0:
        return [""]
    rest = gray(n - 1)
    return ["0" + c for c in rest] + ["1" + c for c in rest[::-1]]


m, n = int(sys.argv[1]), int(sys.argv[2])
for row in gray(m):
    print(*(row + column for column in gray(n)))
