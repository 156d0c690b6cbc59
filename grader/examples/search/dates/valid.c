#include <stdio.h>
int main() {
  int v[6];
  char x;
  if (scanf("%d%d%d%d%d%d %c", v, v + 1, v + 2, v + 3, v + 4, v + 5, &x) != 6) return 1;
  for (int i = 0; i < 6; i += 3) {
    int y = v[i], m = v[i + 1], d = v[i + 2], leap = (y % 4 == 0 && y % 100) || y % 400 == 0;
    if (y < 1 || y > 9999 || m < 1 || m > 12 || d < 1) return 1;
    if (d > (m == 2 ? 28 + leap : 30 + (m + m / 8) % 2)) return 1;
  }
  return 0;
}
