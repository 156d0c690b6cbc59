print(input().split()[1][::-1])
