#include <stdio.h>
int main() {
  int n;
  long long l, r, m = 2000000000;
  if (scanf("%d", &n) != 1 || n < 1 || n > 50000) return 1;
  for (int i = 0; i < n; i++) if (scanf("%lld%lld", &l, &r) != 2 || l < -m || r <= l || r > m) return 1;
  char c;
  return scanf(" %c", &c) == 1;
}
