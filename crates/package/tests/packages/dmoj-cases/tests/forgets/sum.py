import sys

for line in sys.stdin:
    print(sum(abs(int(word)) for word in line.split()))
