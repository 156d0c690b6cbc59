#include <stdio.h>
int a[100000], b[100000];
long long sort(int l, int r) {
  if (r - l < 2) return 0;
  int m = (l + r) / 2, i = l, j = m, k = l;
  long long count = sort(l, m) + sort(m, r);
  while (i < m || j < r)
    if (j == r || (i < m && a[i] <= a[j])) b[k++] = a[i++];
    else count += m - i, b[k++] = a[j++];
  for (k = l; k < r; k++) a[k] = b[k];
  return count;
}
int main() {
  int n;
  if (scanf("%d", &n) != 1 || n > 100000) return 1;
  for (int i = 0; i < n; i++) if (scanf("%d", a + i) != 1) return 1;
  printf("%lld\n", sort(0, n));
}
