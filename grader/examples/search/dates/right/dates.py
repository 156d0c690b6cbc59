from datetime import date

first, second = (date(*map(int, input().split())) for _ in range(2))
print((second - first).days)
