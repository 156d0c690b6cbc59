#include <stdio.h>
int main() {
  int n;
  long long x, m = 1000000000;
  if (scanf("%d", &n) != 1 || n < 1 || n > 100000) return 1;
  for (int i = 0; i < n; i++) if (scanf("%lld", &x) != 1 || x < -m || x > m) return 1;
  char c;
  return scanf(" %c", &c) == 1;
}
