#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int n;
long long x[1000], y[1000];
int main() {
  scanf("%d", &n);
  for (int i = 0; i < n; i++) scanf("%lld %lld", &x[i], &y[i]);
  int m = 0;
  for (int i = 0, j; i < n; i++) {
    for (j = 0; j < m && (x[j] != x[i] || y[j] != y[i]); j++) {}
    if (j == m) x[m] = x[i], y[m++] = y[i];
  }
  n = m;
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int is = i != j;
      long long dx = x[j] - x[i], dy = y[j] - y[i];
      for (int k = 0; is && k < n; k++) {
        long long ex = x[k] - x[i], ey = y[k] - y[i], c = dx * ey - dy * ex;
        if (c < 0 || (c == 0 && (ex * dx + ey * dy < 0 || ex * ex + ey * ey > dx * dx + dy * dy))) is = 0;
      }
      if (is) sum += sqrt((double)(dx * dx + dy * dy));
    }
  printf("%.8f\n", sum);
}
