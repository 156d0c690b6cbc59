#include <stdio.h>
#include <stdlib.h>
enum { B = 512 };
int a[100000], s[100000], count[100000 / B + 1], done[100000];
int compare(const void *x, const void *y) {
  int i = *(const int *)x, j = *(const int *)y;
  return a[i] != a[j] ? (a[i] < a[j] ? -1 : 1) : i - j;
}
int main() {
  int n;
  long long total = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%d", a + i), s[i] = i;
  qsort(s, n, sizeof *s, compare);
  for (int k = n - 1; k >= 0; k--) {
    int at = s[k], block = at / B;
    for (int i = 0; i < block; i++) total += count[i];
    for (int i = block * B; i < at; i++) total += done[i];
    done[at] = 1, count[block]++;
  }
  printf("%lld\n", total);
}
