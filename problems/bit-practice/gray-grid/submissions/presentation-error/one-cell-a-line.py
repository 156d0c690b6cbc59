import sys

m, n = map(int, sys.argv[1:])


def gray(i, digits):
    return f"{i ^ i >> 1:0{digits}b}"


for i in range(1 << m):
    for j in range(1 << n):
        print(gray(i, m) + gray(j, n))
