#include <stdio.h>
int c[20], best[10001];
int main() {
  int amount, n;
  scanf("%d %d", &amount, &n);
  for (int j = 0; j < n; j++) scanf("%d", c + j);
  for (int i = 1; i <= amount; i++) {
    best[i] = -1;
    for (int j = 0; j < n; j++) {
      if (c[j] > i || best[i - c[j]] < 0) continue;
      if (best[i] < 0 || best[i - c[j]] + 1 < best[i]) best[i] = best[i - c[j]] + 1;
    }
  }
  printf("%d\n", best[amount]);
}
