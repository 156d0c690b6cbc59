import sys

assert sys.argv[1] == "True"
print(sys.argv[2], sys.argv[2])
print(2 * int(sys.argv[2]), file=sys.stderr)
