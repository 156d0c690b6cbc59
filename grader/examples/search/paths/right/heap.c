#include <stdio.h>
typedef struct { long long d; int v; } H;
H h[2100];
int size, head[301], next[2001], to[2001], w[2001], done[301];
void push(H x) {
  int i = ++size;
  for (; i > 1 && h[i / 2].d > x.d; i /= 2) h[i] = h[i / 2];
  h[i] = x;
}
H pop(void) {
  H top = h[1], x = h[size--];
  int i = 1;
  for (int c; (c = 2 * i) <= size; i = c) {
    if (c < size && h[c + 1].d < h[c].d) c++;
    if (h[c].d >= x.d) break;
    h[i] = h[c];
  }
  h[i] = x;
  return top;
}
int main() {
  int n, m;
  scanf("%d%d", &n, &m);
  for (int i = 1; i <= m; i++) {
    int from;
    scanf("%d%d%d", &from, to + i, w + i);
    next[i] = head[from], head[from] = i;
  }
  push((H){0, 1});
  while (size) {
    H at = pop();
    if (done[at.v]) continue;
    done[at.v] = 1;
    if (at.v == n) { printf("%lld\n", at.d); return 0; }
    for (int e = head[at.v]; e; e = next[e]) if (!done[to[e]]) push((H){at.d + w[e], to[e]});
  }
  puts("-1");
}
