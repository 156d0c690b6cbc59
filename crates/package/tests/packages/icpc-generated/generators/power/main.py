import sys

assert sys.argv[1] == "a"
print(2 ** int(sys.argv[2]))
