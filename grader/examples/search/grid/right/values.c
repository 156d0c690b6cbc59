#include <stdio.h>
#include <string.h>
char g[61][64];
int n, m, d[61][61];
void mark(int i, int j, int steps) {
  if (i < 0 || j < 0 || i >= n || j >= m || g[i][j] != '.' || steps >= d[i][j]) return;
  d[i][j] = steps;
}
int main() {
  scanf("%d%d", &n, &m);
  for (int i = 0; i < n; i++) scanf("%60s", g[i]);
  memset(d, 63, sizeof d);
  mark(0, 0, 0);
  for (int k = 0; k < n * m; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        if (d[i][j] != k) continue;
        mark(i + 1, j, k + 1), mark(i, j + 1, k + 1);
        mark(i - 1, j, k + 1), mark(i, j - 1, k + 1);
      }
  printf("%d\n", d[n - 1][m - 1] < 3600 ? d[n - 1][m - 1] : -1);
}
