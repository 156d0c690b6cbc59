#include <stdio.h>
#include <string.h>
char s[2001], t[4100];
int p[4100];
int main() {
  scanf("%2000s", s);
  int n = strlen(s), m = 2 * n + 1, best = 0, at = 0;
  for (int i = 0; i < m; i++) t[i] = i % 2 ? s[i / 2] : '#';
  for (int i = 0, c = 0, r = 0; i < m; i++) {
    if (i < r) p[i] = p[2 * c - i] < r - i ? p[2 * c - i] : r - i;
    while (i - p[i] > 0 && i + p[i] + 1 < m && t[i - p[i] - 1] == t[i + p[i] + 1]) p[i]++;
    if (i + p[i] > r) c = i, r = i + p[i];
    if (p[i] > best) best = p[i], at = (i - p[i]) / 2;
  }
  printf("%.*s\n", best, s + at);
}
