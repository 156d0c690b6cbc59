#include <stdio.h>
#include <string.h>
int leap(int y) { return y % 400 == 0 || (y % 4 == 0 && y % 100); }
int length(int y, int m) { return m == 2 ? 28 + leap(y) : 30 + (m + m / 8) % 2; }
int main() {
  int a[3], b[3], t[3], sign = 1;
  scanf("%d%d%d%d%d%d", a, a + 1, a + 2, b, b + 1, b + 2);
  if (a[0] > b[0] || (a[0] == b[0] && (a[1] > b[1] || (a[1] == b[1] && a[2] > b[2])))) {
    sign = -1;
    memcpy(t, a, sizeof t), memcpy(a, b, sizeof t), memcpy(b, t, sizeof t);
  }
  long days = 0;
  while (memcmp(a, b, sizeof a)) {
    days++;
    if (++a[2] > length(a[0], a[1])) {
      a[2] = 1;
      if (++a[1] > 12) a[1] = 1, a[0]++;
    }
  }
  printf("%ld\n", sign * days);
}
