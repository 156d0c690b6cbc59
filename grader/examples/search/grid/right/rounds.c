#include <stdio.h>
char g[62][64];
int d[62][62];
int main() {
  int n, m, more = 1;
  scanf("%d%d", &n, &m);
  for (int i = 1; i <= n; i++) scanf("%s", g[i] + 1);
  for (int i = 0; i < 62; i++) for (int j = 0; j < 62; j++) d[i][j] = 1 << 20;
  d[1][1] = 0;
  while (more) {
    more = 0;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++) {
        if (g[i][j] == '#') continue;
        int b = d[i - 1][j];
        if (d[i + 1][j] < b) b = d[i + 1][j];
        if (d[i][j - 1] < b) b = d[i][j - 1];
        if (d[i][j + 1] < b) b = d[i][j + 1];
        if (b + 1 < d[i][j]) d[i][j] = b + 1, more = 1;
      }
  }
  printf("%d\n", d[n][m] < 1 << 20 ? d[n][m] : -1);
}
