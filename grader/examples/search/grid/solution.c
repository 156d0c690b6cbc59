#include <stdio.h>
char g[60][62];
int d[60][60], queue[3600];
int main() {
  int n, m, head = 0, tail = 0;
  if (scanf("%d%d", &n, &m) != 2 || n < 1 || m < 1 || n > 60 || m > 60) return 1;
  for (int i = 0; i < n; i++) if (scanf("%61s", g[i]) != 1) return 1;
  d[0][0] = 1, queue[tail++] = 0;
  while (head < tail) {
    int i = queue[head] / 60, j = queue[head++] % 60;
    for (int k = 0; k < 4; k++) {
      int y = i + (k == 0) - (k == 1), x = j + (k == 2) - (k == 3);
      if (y < 0 || x < 0 || y >= n || x >= m || g[y][x] == '#' || d[y][x]) continue;
      d[y][x] = d[i][j] + 1, queue[tail++] = 60 * y + x;
    }
  }
  printf("%d\n", d[n - 1][m - 1] - 1);
}
