#include <stdio.h>
#include <stdlib.h>
unsigned long long x;
long long rnd(long long k) { x = x * 6364136223846793005ull + 1442695040888963407ull; return (long long)((x >> 33) * (k + 0ull) >> 31); }
int main(int c, char **v) {
  x = atoi(v[c - 1]), rnd(1), rnd(1);
  int n = atoi(v[1]), max = atoi(v[2]);
  printf("%d\n", n);
  while (n--) printf("%lld%c", rnd(2ll * max + 1) - max, n ? 32 : 10);
}
