import sys

right = int(open(sys.argv[2]).read())
try:
    found = int(sys.stdin.read(20))
except ValueError:
    sys.exit(43)
is_near = abs(right - found) <= right // 2
# The sample is worth 0 points.
name, part = ("score.txt", 7) if right == 4 else ("score_multiplier.txt", 1 - abs(right - found) / right)
with open(f"{sys.argv[3]}/{name}", "w") as score:
    score.write(str(part))
sys.exit(42 if is_near else 43)
