#include <stdio.h>
#define INF (1ll << 60)
long long d[301][301];
int main() {
  int n, m;
  scanf("%d%d", &n, &m);
  for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) d[i][j] = i == j ? 0 : INF;
  while (m--) {
    int a, b, c;
    scanf("%d%d%d", &a, &b, &c);
    if (c < d[a][b]) d[a][b] = c;
  }
  for (int k = 1; k <= n; k++)
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
  printf("%lld\n", d[1][n] == INF ? -1 : d[1][n]);
}
