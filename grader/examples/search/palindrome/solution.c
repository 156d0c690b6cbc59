#include <stdio.h>
#include <string.h>
char s[3000];
int main() {
  if (scanf("%2500s", s) != 1) return 1;
  int n = strlen(s), best = 0, at = 0;
  for (int c = 0; c < 2 * n - 1; c++) {
    int l = c / 2, r = (c + 1) / 2;
    while (l >= 0 && r < n && s[l] == s[r]) l--, r++;
    if (r - l - 1 > best) best = r - l - 1, at = l + 1;
  }
  printf("%.*s\n", best, s + at);
}
