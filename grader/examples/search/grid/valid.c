#include <stdio.h>
#include <string.h>
int main() {
  int n, m;
  char s[100] = "", first = 0;
  if (scanf("%d%d", &n, &m) != 2 || n < 1 || m < 1 || n > 60 || m > 60) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%99s", s) != 1 || (int)strlen(s) != m || (int)strspn(s, ".#") != m) return 1;
    if (i == 0) first = s[0];
  }
  return first != '.' || s[m - 1] != '.' || scanf("%99s", s) == 1;
}
