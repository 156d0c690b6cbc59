import sys

most, seed = int(sys.argv[1]), int(sys.argv[2].strip("{}"))
print(most * 10 + seed)
