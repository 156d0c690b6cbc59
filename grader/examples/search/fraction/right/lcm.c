#include <stdio.h>
#include <stdlib.h>
long long gcd(long long a, long long b) {
  while (b) { long long r = a % b; a = b; b = r; }
  return a;
}
int main() {
  long long a, b, c, d;
  scanf("%lld%lld%lld%lld", &a, &b, &c, &d);
  long long q = b / gcd(b, d) * d, p = q / b * a + q / d * c;
  if (p == 0) { puts("0"); return 0; }
  long long g = gcd(q, p < 0 ? -p : p);
  if (g == q) printf("%lld\n", p / q);
  else printf("%lld/%lld\n", p / g, q / g);
}
