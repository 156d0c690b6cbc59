import sys

for line in sys.stdin:
    if not line.strip():
        continue
    n, k = map(int, line.split())
    print("even" if n & k == k else "odd")
