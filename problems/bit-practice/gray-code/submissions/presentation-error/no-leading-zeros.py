import sys

n = int(sys.argv[1])
for i in range(2 ** n):
    print(bin(i ^ (i >> 1))[2:])
