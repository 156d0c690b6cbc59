#include <stdio.h>
long long d[301];
int w[301][301], done[301];
int main() {
  int n, m;
  scanf("%d%d", &n, &m);
  for (int i = 1; i <= n; i++) for (int j = 1; j <= n; j++) w[i][j] = -1;
  while (m--) {
    int a, b, c;
    scanf("%d%d%d", &a, &b, &c);
    if (w[a][b] < 0 || c < w[a][b]) w[a][b] = c;
  }
  for (int i = 2; i <= n; i++) d[i] = -1;
  for (;;) {
    int at = 0;
    for (int i = 1; i <= n; i++) if (!done[i] && d[i] >= 0 && (!at || d[i] < d[at])) at = i;
    if (!at) break;
    done[at] = 1;
    for (int i = 1; i <= n; i++)
      if (w[at][i] >= 0 && (d[i] < 0 || d[at] + w[at][i] < d[i])) d[i] = d[at] + w[at][i];
  }
  printf("%lld\n", d[n]);
}
