#include <stdio.h>
static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
static int number(void) {
  int y, m, d;
  scanf("%d %d %d", &y, &m, &d);
  int past = y - 1, leap = y % 4 == 0 && (y % 25 != 0 || y % 16 == 0);
  return past * 365 + past / 4 - past / 100 + past / 400 + before[m - 1] + (leap && m > 2) + d;
}
int main() {
  int first = number();
  printf("%d\n", number() - first);
}
