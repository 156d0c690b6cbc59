#include <stdio.h>
#include <string.h>
char g[64][64], old[64][64];
int main() {
  int n, m, steps = 0, grew = 1;
  scanf("%d %d", &n, &m);
  for (int i = 1; i <= n; i++) scanf("%s", &g[i][1]);
  g[1][1] = 'x';
  while (g[n][m] != 'x' && grew) {
    memcpy(old, g, sizeof g);
    grew = 0;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= m; j++)
        if (g[i][j] == '.' && (old[i - 1][j] == 'x' || old[i + 1][j] == 'x' || old[i][j - 1] == 'x' || old[i][j + 1] == 'x'))
          g[i][j] = 'x', grew = 1;
    steps += grew;
  }
  printf("%d\n", g[n][m] == 'x' ? steps : -1);
}
