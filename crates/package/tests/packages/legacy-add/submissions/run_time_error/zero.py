a, b = map(int, input().split())
print(a + b if a + b else 1 // 0)
