#include <stdio.h>
#include <stdlib.h>
unsigned long long x;
long long rnd(long long k) { x = x * 6364136223846793005ull + 1442695040888963407ull; return (long long)((x >> 33) * (k + 0ull) >> 31); }
int main(int c, char **v) {
  x = atoi(v[c - 1]), rnd(1), rnd(1);
  int n = atoi(v[1]), m = atoi(v[2]), acyclic = rnd(4) > 0, *p = malloc(n * sizeof *p);
  for (int i = 0, j; i < n; i++) j = rnd(i + 1), p[i] = p[j], p[j] = i + 1;
  if (n == 1 && acyclic) m = 0;
  printf("%d %d\n", n, m);
  while (m--) {
    int i = rnd(n), j = rnd(n);
    while (acyclic && i == j) j = rnd(n);
    if (acyclic && i > j) { int t = i; i = j; j = t; }
    printf("%d %d\n", p[i], p[j]);
  }
}
