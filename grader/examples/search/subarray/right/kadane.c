#include <stdio.h>
int main() {
  int n, start = 1, from = 1, to = 1;
  long long sum = 0, best = -1e18, x;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 1; i <= n; i++) {
    if (scanf("%lld", &x) != 1) return 1;
    if (sum <= 0) sum = 0, start = i;
    sum += x;
    if (sum > best || (sum == best && i - start < to - from)) best = sum, from = start, to = i;
  }
  printf("%lld %d %d\n", best, from, to);
}
