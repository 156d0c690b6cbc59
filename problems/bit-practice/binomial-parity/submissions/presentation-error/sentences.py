import sys

data = sys.stdin.read().split()
for i in range(0, len(data), 2):
    n, k = int(data[i]), int(data[i + 1])
    print(f"C({n}, {k}) is", "odd" if n & k == k else "even")
