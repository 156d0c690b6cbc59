#include <stdio.h>
#include <string.h>
char s[2001];
int main() {
  scanf("%2000s", s);
  int n = strlen(s), best = 1, at = 0;
  for (int i = 0; i < n; i++) {
    int odd = 1, even = 0;
    while (i - odd >= 0 && i + odd < n && s[i - odd] == s[i + odd]) odd++;
    while (i - even - 1 >= 0 && i + even < n && s[i - even - 1] == s[i + even]) even++;
    int length = 2 * odd - 1, start = i - odd + 1;
    if (2 * even > length) length = 2 * even, start = i - even;
    if (length > best) best = length, at = start;
  }
  for (int i = 0; i < best; i++) putchar(s[at + i]);
  putchar('\n');
}
