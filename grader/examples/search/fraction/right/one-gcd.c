#include <stdio.h>
#include <stdlib.h>
long long gcd(long long a, long long b) { return b ? gcd(b, a % b) : a; }
int main() {
  long long a, b, c, d;
  if (scanf("%lld%lld%lld%lld", &a, &b, &c, &d) != 4) return 1;
  long long p = a * d + c * b, q = b * d, g = gcd(llabs(p), q);
  p /= g, q /= g;
  if (q == 1) printf("%lld\n", p);
  else printf("%lld/%lld\n", p, q);
}
