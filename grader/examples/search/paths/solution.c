#include <stdio.h>
int from[2000], to[2000], w[2000];
long long d[301];
int main() {
  int n, m, more = 1;
  if (scanf("%d%d", &n, &m) != 2 || n > 300 || m > 2000) return 1;
  for (int i = 0; i < m; i++) {
    if (scanf("%d%d%d", from + i, to + i, w + i) != 3) return 1;
    if (from[i] < 1 || from[i] > n || to[i] < 1 || to[i] > n || w[i] < 0) return 1;
  }
  for (int i = 2; i <= n; i++) d[i] = -1;
  while (more) {
    more = 0;
    for (int i = 0; i < m; i++)
      if (d[from[i]] >= 0 && (d[to[i]] < 0 || d[from[i]] + w[i] < d[to[i]])) d[to[i]] = d[from[i]] + w[i], more = 1;
  }
  printf("%lld\n", d[n]);
}
