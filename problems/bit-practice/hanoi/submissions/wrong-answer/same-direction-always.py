import sys

n = int(sys.argv[1])
k = int(sys.argv[2])
pegs = []
for d in range(1, n + 1):
    moves = (k + 2 ** (d - 1)) // 2 ** d
    if d % 2 == 1:
        pegs.append((-moves) % 3 + 1)
    else:
        pegs.append(moves % 3 + 1)
print(*pegs)
