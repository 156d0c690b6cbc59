#include <stdio.h>
int n, m, head[301], next[1001], to[1001], count[301], stack[301], order[301];
int main() {
  int top = 0, done = 0;
  scanf("%d%d", &n, &m);
  for (int i = 1; i <= m; i++) {
    int a;
    scanf("%d%d", &a, to + i);
    next[i] = head[a], head[a] = i, count[to[i]]++;
  }
  for (int v = n; v >= 1; v--) if (count[v] == 0) stack[top++] = v;
  while (top) {
    int v = stack[--top];
    order[done++] = v;
    for (int e = head[v]; e; e = next[e]) if (--count[to[e]] == 0) stack[top++] = to[e];
  }
  if (done != n) { printf("cycle\n"); return 0; }
  for (int i = 0; i < n; i++) printf("%d\n", order[i]);
}
