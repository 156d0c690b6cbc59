n = int(input())
codes = ["0", "1"]
for _ in range(n - 1):
    codes = ["0" + c for c in codes] + ["1" + c for c in codes[::-1]]
for c in codes:
    print(c)
