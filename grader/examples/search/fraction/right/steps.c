#include <stdio.h>
#include <stdlib.h>
long long gcd(long long a, long long b) {
  for (int i = 0; i < 100 && b; i++) { long long r = a % b; a = b; b = r; }
  return a;
}
int main() {
  long long a, b, c, d, p, q;
  scanf("%lld %lld %lld %lld", &a, &b, &c, &d);
  if (b == d) p = a + c, q = b;
  else if (a == 0) p = c, q = d;
  else p = a * d + c * b, q = b * d;
  long long g = gcd(p < 0 ? -p : p, q);
  printf("%lld", p / g);
  if (q / g != 1) printf("/%lld", q / g);
  puts("");
}
