import sys

n = int(sys.argv[1])
while n:
    print("0123456789012345678901234567890123456789")
