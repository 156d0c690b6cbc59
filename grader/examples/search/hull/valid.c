#include <stdio.h>
int main() {
  int n;
  long long x, y, m = 1000000;
  if (scanf("%d", &n) != 1 || n < 1 || n > 1000) return 1;
  while (n--) if (scanf("%lld%lld", &x, &y) != 2 || x < -m || x > m || y < -m || y > m) return 1;
  char c;
  return scanf(" %c", &c) == 1;
}
