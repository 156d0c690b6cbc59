#include <stdio.h>
#include <stdlib.h>
int a[100000], s[100000], t[100001];
int compare(const void *x, const void *y) {
  int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}
int main() {
  int n;
  long long count = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%d", a + i), s[i] = a[i];
  qsort(s, n, sizeof *s, compare);
  for (int i = 0; i < n; i++) {
    int l = 0, r = n;
    while (l < r) { int m = (l + r) / 2; if (s[m] < a[i]) l = m + 1; else r = m; }
    int rank = l + 1, before = 0;
    for (int k = rank; k > 0; k -= k & -k) before += t[k];
    count += i - before;
    for (int k = rank; k <= n; k += k & -k) t[k]++;
  }
  printf("%lld\n", count);
}
