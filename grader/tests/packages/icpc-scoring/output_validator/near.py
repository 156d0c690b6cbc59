import sys

right = int(open(sys.argv[2]).read())
try:
    found = int(sys.stdin.read(20))
except ValueError:
    sys.exit(43)
if abs(right - found) > right // 2:
    sys.exit(43)
with open(sys.argv[3] + "/score_multiplier.txt", "w") as score:
    score.write(str(1 - abs(right - found) / right))
sys.exit(42)
