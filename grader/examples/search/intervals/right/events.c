#include <stdio.h>
#include <stdlib.h>
typedef struct { int at, step; } E;
E e[100000];
int compare(const void *x, const void *y) {
  const E *a = x, *b = y;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return b->step - a->step;
}
int main() {
  int n, m = 0, open = 0;
  long long sum = 0, since = 0;
  scanf("%d", &n);
  for (int i = 0; i < n; i++) {
    int l, r;
    scanf("%d%d", &l, &r);
    e[m++] = (E){l, 1}, e[m++] = (E){r, -1};
  }
  qsort(e, m, sizeof *e, compare);
  for (int i = 0; i < m; i++) {
    if (open == 0) since = e[i].at;
    open += e[i].step;
    if (open == 0) sum += e[i].at - since;
  }
  printf("%lld\n", sum);
}
