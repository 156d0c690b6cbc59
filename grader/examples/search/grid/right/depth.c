#include <stdio.h>
#include <string.h>
char g[61][64];
int n, m, d[61][61];
void go(int i, int j, int steps) {
  if (i < 0 || j < 0 || i >= n || j >= m || g[i][j] != '.' || steps >= d[i][j]) return;
  if (steps + n - 1 - i + m - 1 - j >= d[n - 1][m - 1]) return;
  d[i][j] = steps;
  go(i + 1, j, steps + 1), go(i, j + 1, steps + 1);
  go(i - 1, j, steps + 1), go(i, j - 1, steps + 1);
}
int main() {
  scanf("%d%d", &n, &m);
  for (int i = 0; i < n; i++) scanf("%60s", g[i]);
  memset(d, 63, sizeof d);
  go(0, 0, 0);
  printf("%d\n", d[n - 1][m - 1] < 3600 ? d[n - 1][m - 1] : -1);
}
