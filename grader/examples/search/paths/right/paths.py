import heapq

n, m = map(int, input().split())
edges = [[] for _ in range(n + 1)]
for _ in range(m):
    a, b, c = map(int, input().split())
    edges[a].append((b, c))
heap, done = [(0, 1)], set()
answer = -1
while heap:
    d, at = heapq.heappop(heap)
    if at == n:
        answer = d
        break
    if at not in done:
        done.add(at)
        for to, c in edges[at]:
            heapq.heappush(heap, (d + c, to))
print(answer)
