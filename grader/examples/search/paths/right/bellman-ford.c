#include <stdio.h>
#define INF 1000000000000000000ll
int from[2000], to[2000], w[2000];
long long d[301];
int main() {
  int n, m;
  scanf("%d%d", &n, &m);
  for (int i = 0; i < m; i++) scanf("%d%d%d", from + i, to + i, w + i);
  for (int i = 2; i <= n; i++) d[i] = INF;
  for (int round = 1; round < n; round++)
    for (int i = 0; i < m; i++)
      if (d[from[i]] + w[i] < d[to[i]]) d[to[i]] = d[from[i]] + w[i];
  printf("%lld\n", d[n] < INF ? d[n] : -1);
}
