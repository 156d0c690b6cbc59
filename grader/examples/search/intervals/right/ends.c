#include <stdio.h>
#include <stdlib.h>
int l[50000], r[50000];
int compare(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}
int main() {
  int n;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%d%d", l + i, r + i);
  qsort(l, n, sizeof *l, compare), qsort(r, n, sizeof *r, compare);
  long long sum = 0;
  int start = l[0];
  for (int i = 0; i < n; i++)
    if (i == n - 1 || l[i + 1] > r[i]) {
      sum += (long long)r[i] - start;
      if (i + 1 < n) start = l[i + 1];
    }
  printf("%lld\n", sum);
}
