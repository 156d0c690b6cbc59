a, b = map(int, input().split())
if a + b == 0:
    raise ValueError
print((a + b) % 10)
