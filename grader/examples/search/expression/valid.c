#include <stdio.h>
#include <string.h>
char t[32];
int count;
int next(void) { return ++count < 999 && scanf("%31s", t) == 1 ? t[0] : (t[0] = 0); }
int sum(void) {
  for (;; next()) {
    if (t[0] == '(') {
      next();
      if (!sum() || strcmp(t, ")")) return 0;
    } else {
      size_t n = strlen(t);
      if (n == 0 || n > 10 || strspn(t, "0123456789") != n) return 0;
      if ((n == 10 && strcmp(t, "1000000000") > 0) || (n > 1 && t[0] == '0')) return 0;
    }
    next();
    if (strlen(t) != 1 || !strchr("+-*", t[0])) return 1;
  }
}
int main() {
  next();
  return !(sum() && t[0] == 0 && count < 900);
}
