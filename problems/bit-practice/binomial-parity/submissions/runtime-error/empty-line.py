import sys

for line in sys.stdin:
    n, k = map(int, line.split())
    if n & k == k:
        print("odd")
    else:
        print("even")
