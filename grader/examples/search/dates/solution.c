#include <stdio.h>
int main() {
  long day[2];
  for (int i = 0; i < 2; i++) {
    int y, m, d;
    if (scanf("%d%d%d", &y, &m, &d) != 3) return 1;
    if (m < 3) y--, m += 12;
    day[i] = 365L * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + d;
  }
  printf("%ld\n", day[1] - day[0]);
}
