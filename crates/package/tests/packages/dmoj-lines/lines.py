import sys

with open(sys.argv[2]) as output:
    sys.exit(len([line for line in output if line.strip()]) != int(sys.argv[4]))
