import sys

n, k = int(sys.argv[1]), int(sys.argv[2])
start, spare, target = 1, 2, 3
pegs = []
for disc in range(n, 0, -1):
    half = 1 << (disc - 1)
    if k >= half:
        # this disc has moved; those above it come from the spare peg
        pegs.append(target)
        start, spare = spare, start
        k -= half
    else:
        pegs.append(start)
        spare, target = target, spare
print(*reversed(pegs))
