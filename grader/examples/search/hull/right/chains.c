#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct { long long x, y; } P;
P p[1000], h[2001];
int compare(const void *u, const void *v) {
  const P *a = u, *b = v;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}
long long cross(P a, P b, P c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
int main() {
  int n, k = 0;
  if (scanf("%d", &n) != 1 || n < 1 || n > 1000) return 1;
  for (int i = 0; i < n; i++) if (scanf("%lld%lld", &p[i].x, &p[i].y) != 2) return 1;
  qsort(p, n, sizeof *p, compare);
  for (int i = 0; i < n; h[k++] = p[i++]) while (k >= 2 && cross(h[k - 2], h[k - 1], p[i]) <= 0) k--;
  for (int i = n - 2, low = k + 1; i >= 0; h[k++] = p[i--]) while (k >= low && cross(h[k - 2], h[k - 1], p[i]) <= 0) k--;
  double sum = 0;
  for (int i = 1; i < k; i++) sum += hypot(h[i].x - h[i - 1].x, h[i].y - h[i - 1].y);
  printf("%.9f\n", sum);
}
