#include <stdio.h>
int a[100000], b[100000];
long long count;
void split(int l, int r, int bit) {
  if (bit < 0 || r - l < 2) return;
  int zeros = 0, ones = 0;
  for (int i = l; i < r; i++)
    if (a[i] >> bit & 1) b[ones++] = a[i];
    else count += ones, a[l + zeros++] = a[i];
  for (int i = 0; i < ones; i++) a[l + zeros + i] = b[i];
  split(l, l + zeros, bit - 1);
  split(l + zeros, r, bit - 1);
}
int main() {
  int n;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%d", &a[i]);
  split(0, n, 29);
  printf("%lld\n", count);
}
