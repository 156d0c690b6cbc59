print(eval(input()) % 1000000007)
