total = int(input())
print(total // 2 if total < 100 else 0, total - total // 2)
