#include <stdio.h>
int n, c[20], known[10001];
int fewest(int amount) {
  if (amount == 0) return 0;
  if (known[amount]) return known[amount];
  int best = 1 << 29;
  for (int i = 0; i < n; i++)
    if (c[i] <= amount) {
      int rest = fewest(amount - c[i]) + 1;
      if (rest < best) best = rest;
    }
  return known[amount] = best;
}
int main() {
  int amount;
  scanf("%d%d", &amount, &n);
  for (int i = 0; i < n; i++) scanf("%d", c + i);
  int best = fewest(amount);
  printf("%d\n", best < 1 << 29 ? best : -1);
}
