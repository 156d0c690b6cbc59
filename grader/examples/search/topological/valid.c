#include <stdio.h>
int main() {
  int n, m;
  if (scanf("%d%d", &n, &m) != 2 || n < 1 || n > 300 || m < 0 || m > 1000) return 1;
  while (m--) {
    int a, b;
    if (scanf("%d%d", &a, &b) != 2 || a < 1 || a > n || b < 1 || b > n) return 1;
  }
  char c;
  return scanf(" %c", &c) == 1;
}
