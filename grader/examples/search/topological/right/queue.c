#include <stdio.h>
int n, m, from[1000], to[1000], before[301], order[301];
int main() {
  int done = 0;
  if (scanf("%d%d", &n, &m) != 2 || n > 300 || m > 1000) return 1;
  for (int i = 0; i < m; i++) {
    if (scanf("%d%d", from + i, to + i) != 2 || from[i] < 1 || from[i] > n || to[i] < 1 || to[i] > n) return 1;
    before[to[i]]++;
  }
  for (int i = 1; i <= n; i++) if (!before[i]) order[done++] = i;
  for (int k = 0; k < done; k++)
    for (int i = 0; i < m; i++) if (from[i] == order[k] && --before[to[i]] == 0) order[done++] = to[i];
  if (done < n) puts("cycle");
  else for (int i = 0; i < n; i++) printf("%d%c", order[i], i < n - 1 ? ' ' : '\n');
}
