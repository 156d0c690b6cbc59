import sys

n = int(sys.argv[1])
while n:
    pass
