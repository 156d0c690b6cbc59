#include <stdio.h>
int c[20], queue[10001], seen[10001];
int main() {
  int amount, n, head = 0, tail = 0;
  scanf("%d%d", &amount, &n);
  for (int i = 0; i < n; i++) scanf("%d", &c[i]);
  queue[tail++] = 0, seen[0] = 1;
  while (head < tail) {
    int at = queue[head++];
    for (int i = 0; i < n; i++) {
      int to = at + c[i];
      if (to > amount || seen[to]) continue;
      seen[to] = seen[at] + 1;
      queue[tail++] = to;
    }
  }
  printf("%d\n", seen[amount] - 1);
}
