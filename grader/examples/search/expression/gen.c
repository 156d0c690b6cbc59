#include <stdio.h>
#include <stdlib.h>
unsigned long long x;
long long rnd(long long k) { x = x * 6364136223846793005ull + 1442695040888963407ull; return (long long)((x >> 33) * (k + 0ull) >> 31); }
long long max;
void tree(int n) {
  if (n == 1) { printf("%lld", rnd(max + 1)); return; }
  int left = 1 + rnd(n - 1), paren = rnd(3) == 0;
  if (paren) printf("( ");
  tree(left);
  printf(" %c ", "+-*"[rnd(3)]);
  tree(n - left);
  if (paren) printf(" )");
}
int main(int c, char **v) {
  x = atoi(v[c - 1]), rnd(1), rnd(1);
  int n = atoi(v[1]);
  max = atoi(v[2]);
  tree(n);
  puts("");
}
