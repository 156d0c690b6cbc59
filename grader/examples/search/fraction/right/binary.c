#include <stdio.h>
#include <stdlib.h>
typedef unsigned long long U;
U gcd(U a, U b) {
  if (!a || !b) return a | b;
  int s = __builtin_ctzll(a | b);
  for (a >>= __builtin_ctzll(a); b; ) {
    b >>= __builtin_ctzll(b);
    if (a > b) { U t = a; a = b; b = t; }
    b -= a;
  }
  return a << s;
}
int main() {
  long long a, b, c, d;
  scanf("%lld%lld%lld%lld", &a, &b, &c, &d);
  long long p = a * d + c * b, q = b * d, g = gcd(llabs(p), q);
  if (q == g) printf("%lld\n", p / g); else printf("%lld/%lld\n", p / g, q / g);
}
