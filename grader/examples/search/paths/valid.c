#include <stdio.h>
int main() {
  int n, m;
  if (scanf("%d%d", &n, &m) != 2 || n < 1 || n > 300 || m < 0 || m > 2000) return 1;
  while (m--) {
    long long a, b, c;
    if (scanf("%lld%lld%lld", &a, &b, &c) != 3 || a < 1 || a > n || b < 1 || b > n || c < 0 || c > 1000000000) return 1;
  }
  char c;
  return scanf(" %c", &c) == 1;
}
