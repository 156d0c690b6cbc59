print sum(map(int, raw_input().split()))
