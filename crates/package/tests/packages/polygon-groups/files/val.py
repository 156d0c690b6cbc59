import sys

sys.exit(0 if 0 <= int(input()) <= 1000 else 3)
