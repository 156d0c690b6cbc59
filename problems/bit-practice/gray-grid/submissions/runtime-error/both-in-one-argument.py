import sys

m, n = map(int, sys.argv[1].split())
gray = lambda i, d: format(i ^ i >> 1, "0{}b".format(d))
for i in range(2 ** m):
    print(" ".join(gray(i, m) + gray(j, n) for j in range(2 ** n)))
