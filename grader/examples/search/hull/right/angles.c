#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { long long x, y; } P;
P p[1000], s[1001];
long long cross(P a, P b, P c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
double length(P a, P b) { return hypot(b.x - a.x, b.y - a.y); }
int compare(const void *u, const void *v) {
  P a = *(const P *)u, b = *(const P *)v;
  long long c = cross(p[0], a, b);
  if (c) return c > 0 ? -1 : 1;
  double d = length(p[0], a) - length(p[0], b);
  return (d > 0) - (d < 0);
}
int main() {
  int n, top = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) {
    scanf("%lld%lld", &p[i].x, &p[i].y);
    if (p[i].y < p[0].y || (p[i].y == p[0].y && p[i].x < p[0].x)) { P t = p[0]; p[0] = p[i]; p[i] = t; }
  }
  qsort(p + 1, n - 1, sizeof *p, compare);
  for (int i = 0; i < n; i++) {
    while (top > 1 && cross(s[top - 2], s[top - 1], p[i]) <= 0) top--;
    s[top++] = p[i];
  }
  double sum = length(s[top - 1], s[0]);
  for (int i = 1; i < top; i++) sum += length(s[i - 1], s[i]);
  printf("%.10f\n", sum);
}
