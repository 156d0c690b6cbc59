#include <stdio.h>
#include <string.h>
int main() {
  static char s[3001], x;
  if (scanf("%3000s %c", s, &x) != 1) return 1;
  int n = strlen(s);
  return n > 2000 || n != (int)strspn(s, "abcdefghijklmnopqrstuvwxyz");
}
