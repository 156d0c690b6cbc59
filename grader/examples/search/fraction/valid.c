#include <stdio.h>
int main() {
  long long m = 1000000000, a, b, c, d;
  char x;
  if (scanf("%lld%lld%lld%lld %c", &a, &b, &c, &d, &x) != 4) return 1;
  return a < -m || a > m || c < -m || c > m || b < 1 || b > m || d < 1 || d > m;
}
