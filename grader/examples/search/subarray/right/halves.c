#include <stdio.h>
typedef struct { long long sum; int from, to; } Part;
long long a[100001];
int better(Part a, Part b) {
  if (a.sum != b.sum) return a.sum > b.sum;
  if (a.to - a.from != b.to - b.from) return a.to - a.from < b.to - b.from;
  return a.from < b.from;
}
Part best(int l, int r) {
  if (l == r) return (Part){a[l], l, l};
  int m = (l + r) / 2;
  Part x = best(l, m), y = best(m + 1, r);
  long long left = a[m], right = a[m + 1], s = 0;
  int from = m, to = m + 1;
  for (int i = m; i >= l; i--) if ((s += a[i]) > left) left = s, from = i;
  s = 0;
  for (int i = m + 1; i <= r; i++) if ((s += a[i]) > right) right = s, to = i;
  Part z = {left + right, from, to};
  if (better(y, x)) x = y;
  return better(z, x) ? z : x;
}
int main() {
  int n;
  scanf("%d", &n);
  for (int i = 1; i <= n; i++) scanf("%lld", a + i);
  Part p = best(1, n);
  printf("%lld %d %d\n", p.sum, p.from, p.to);
}
