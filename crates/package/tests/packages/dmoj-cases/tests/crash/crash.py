import sys

for line in sys.stdin:
    left, right = map(int, line.split())
    print(left + right)
