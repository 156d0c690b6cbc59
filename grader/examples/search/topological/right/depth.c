#include <stdio.h>
int n, m, has[301][301], state[301], order[301], done, cycle;
void visit(int v) {
  if (state[v] == 2) return;
  if (state[v] == 1) { cycle = 1; return; }
  state[v] = 1;
  for (int u = 1; u <= n; u++) if (has[v][u]) visit(u);
  state[v] = 2;
  order[done++] = v;
}
int main() {
  scanf("%d%d", &n, &m);
  while (m--) {
    int a, b;
    scanf("%d%d", &a, &b);
    has[a][b] = 1;
  }
  for (int v = 1; v <= n; v++) visit(v);
  if (cycle) { puts("cycle"); return 0; }
  while (done--) printf("%d ", order[done]);
  puts("");
}
