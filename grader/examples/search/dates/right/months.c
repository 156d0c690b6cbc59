#include <stdio.h>
int length[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
long days(int y, int m, int d) {
  long sum = d;
  for (int i = 1; i < y; i++) sum += 365 + leap(i);
  for (int i = 1; i < m; i++) sum += length[i] + (i == 2 && leap(y));
  return sum;
}
int main() {
  int y, m, d, y2, m2, d2;
  scanf("%d%d%d%d%d%d", &y, &m, &d, &y2, &m2, &d2);
  printf("%ld\n", days(y2, m2, d2) - days(y, m, d));
}
