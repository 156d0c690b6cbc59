#include <stdio.h>
#include <stdlib.h>
typedef struct { long long l, r; } I;
I a[50000];
int compare(const void *x, const void *y) {
  const I *a = x, *b = y;
  return (a->l > b->l) - (a->l < b->l);
}
int main() {
  int n;
  if (scanf("%d", &n) != 1 || n > 50000) return 1;
  for (int i = 0; i < n; i++) if (scanf("%lld%lld", &a[i].l, &a[i].r) != 2) return 1;
  qsort(a, n, sizeof *a, compare);
  long long sum = 0, end = -2e9;
  for (int i = 0; i < n; i++) {
    if (a[i].l > end) end = a[i].l;
    if (a[i].r > end) sum += a[i].r - end, end = a[i].r;
  }
  printf("%lld\n", sum);
}
