#include <stdio.h>
#include <stdlib.h>
int l[50000], r[50000], by[50000];
int first(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return l[a] < l[b] ? -1 : l[a] > l[b] ? 1 : 0;
}
int main() {
  int n;
  long long sum = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%d%d", l + i, r + i), by[i] = i;
  qsort(by, n, sizeof *by, first);
  for (int i = 0, j; i < n; i = j) {
    int low = l[by[i]], high = r[by[i]];
    for (j = i + 1; j < n && l[by[j]] <= high; j++) if (r[by[j]] > high) high = r[by[j]];
    sum += (long long)high - low;
  }
  printf("%lld\n", sum);
}
