#include <math.h>
#include <stdio.h>
long long x[1000], y[1000];
int main() {
  int n, first = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) {
    scanf("%lld%lld", x + i, y + i);
    if (x[i] < x[first] || (x[i] == x[first] && y[i] < y[first])) first = i;
  }
  double sum = 0;
  int at = first;
  do {
    int to = -1;
    for (int i = 0; i < n; i++) {
      long long dx = x[i] - x[at], dy = y[i] - y[at];
      if (dx == 0 && dy == 0) continue;
      if (to < 0) { to = i; continue; }
      long long tx = x[to] - x[at], ty = y[to] - y[at], c = tx * dy - ty * dx;
      if (c < 0 || (c == 0 && dx * dx + dy * dy > tx * tx + ty * ty)) to = i;
    }
    if (to < 0) break;
    sum += hypot(x[to] - x[at], y[to] - y[at]);
    at = to;
  } while (x[at] != x[first] || y[at] != y[first]);
  printf("%.7f\n", sum);
}
