import sys

with open(sys.argv[2] + ".in", "w") as file:
    print(sys.argv[1], file=file)
