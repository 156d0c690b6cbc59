import sys

m = int(sys.argv[1])
n = int(sys.argv[2])
for i in range(2 ** m):
    row = []
    for j in range(2 ** n):
        k = i + j
        row.append(format(k ^ k >> 1, "0%db" % (m + n)))
    print(" ".join(row))
