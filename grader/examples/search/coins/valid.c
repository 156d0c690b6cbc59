#include <stdio.h>
int main() {
  int amount, n, x;
  if (scanf("%d%d", &amount, &n) != 2 || amount < 0 || amount > 10000 || n < 1 || n > 20) return 1;
  for (int i = 0; i < n; i++) if (scanf("%d", &x) != 1 || x < 1 || x > 10000) return 1;
  char c;
  return scanf(" %c", &c) == 1;
}
