#include <stdio.h>
#include <string.h>
char s[2001], is[2001][2001];
int main() {
  scanf("%2000s", s);
  int n = strlen(s), best = 1, at = 0;
  for (int length = 1; length <= n; length++)
    for (int i = 0; i + length <= n; i++) {
      int j = i + length - 1;
      is[i][j] = s[i] == s[j] && (length <= 2 || is[i + 1][j - 1]);
      if (is[i][j] && length > best) best = length, at = i;
    }
  s[at + best] = 0;
  puts(s + at);
}
