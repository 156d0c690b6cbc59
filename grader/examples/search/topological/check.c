#include <stdio.h>
#include <string.h>
/* Exit status 42: right, 43: wrong. */
int main(int c, char **v) {
  static int from[1000], to[1000], at[301];
  char first[16], word[16];
  int n, m;
  FILE *in = fopen(v[1], "r"), *answer = fopen(v[2], "r");
  if (c < 3 || !in || !answer || fscanf(in, "%d%d", &n, &m) != 2 || fscanf(answer, "%15s", first) != 1) return 1;
  for (int i = 0; i < m; i++) if (fscanf(in, "%d%d", from + i, to + i) != 2) return 1;
  if (scanf("%15s", word) != 1) return 43;
  if (!strcmp(first, "cycle") || !strcmp(word, "cycle")) return strcmp(first, word) || scanf("%15s", word) == 1 ? 43 : 42;
  for (int i = 1, x; i <= n; i++) {
    char rest;
    if (sscanf(word, "%d%c", &x, &rest) != 1 || x < 1 || x > n || at[x]) return 43;
    at[x] = i;
    if (scanf("%15s", word) != 1 ? i < n : i == n) return 43;
  }
  for (int i = 0; i < m; i++) if (at[from[i]] >= at[to[i]]) return 43;
  return 42;
}
