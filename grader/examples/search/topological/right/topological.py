from graphlib import CycleError, TopologicalSorter

n, m = map(int, input().split())
sorter, loop = TopologicalSorter({v: () for v in range(1, n + 1)}), False
for _ in range(m):
    a, b = map(int, input().split())
    loop |= a == b
    sorter.add(b, a)
try:
    print("cycle" if loop else " ".join(map(str, sorter.static_order())))
except CycleError:
    print("cycle")
