#include <stdio.h>
int main() {
  int n, least = 0, from = 0, to = 0;
  long long p = 0, low = 0, best = 0, x;
  scanf("%d", &n);
  for (int i = 1; i <= n; i++) {
    scanf("%lld", &x);
    p += x;
    if (i == 1 || p - low > best || (p - low == best && i - least < to - from)) best = p - low, from = least, to = i;
    if (p <= low) low = p, least = i;
  }
  printf("%lld %d %d\n", best, from + 1, to);
}
