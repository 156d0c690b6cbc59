print(sum(list(map(int, input().split()))[:2]))
