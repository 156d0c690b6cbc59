#include <stdio.h>
int best[10001];
int main() {
  int amount, n, coin;
  if (scanf("%d%d", &amount, &n) != 2 || amount > 10000 || amount < 0) return 1;
  for (int i = 1; i <= amount; i++) best[i] = 99999;
  while (n-- > 0) {
    if (scanf("%d", &coin) != 1 || coin < 1) return 1;
    for (int i = coin; i <= amount; i++) if (best[i - coin] + 1 < best[i]) best[i] = best[i - coin] + 1;
  }
  printf("%d\n", best[amount] < 99999 ? best[amount] : -1);
}
