#include <stdio.h>
int n, m, from[1000], to[1000], level[301];
int main() {
  scanf("%d%d", &n, &m);
  for (int i = 0; i < m; i++) scanf("%d%d", from + i, to + i);
  int more = 1, rounds = 0;
  while (more && rounds++ <= n) {
    more = 0;
    for (int i = 0; i < m; i++) if (level[to[i]] <= level[from[i]]) level[to[i]] = level[from[i]] + 1, more = 1;
  }
  if (more) { puts("cycle"); return 0; }
  for (int l = 0; l < n; l++) for (int v = 1; v <= n; v++) if (level[v] == l) printf("%d ", v);
  puts("");
}
