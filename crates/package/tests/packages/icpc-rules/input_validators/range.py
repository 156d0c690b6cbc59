import sys

sys.exit(42 if 1 <= int(sys.stdin.read()) <= {{max.half}} <= {{max}} else 43)
