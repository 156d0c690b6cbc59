#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define M 1000000007ll
char t[1000][16], op[1000];
long long v[1000];
int n, nv, no;
int rank(char c) { return c == '*' ? 2 : c == '(' ? 0 : 1; }
void apply(void) {
  long long b = v[--nv], a = v[--nv];
  char c = op[--no];
  v[nv++] = c == '*' ? a * b % M : c == '+' ? (a + b) % M : (a - b + M) % M;
}
int main() {
  while (scanf("%15s", t[n]) == 1) n++;
  for (int i = 0; i < n; i++) {
    char c = t[i][0];
    if (c == '(') op[no++] = c;
    else if (c == ')') {
      while (op[no - 1] != '(') apply();
      no--;
    } else if (strchr("+-*", c)) {
      while (no && rank(op[no - 1]) >= rank(c)) apply();
      op[no++] = c;
    } else v[nv++] = atoll(t[i]) % M;
  }
  while (no) apply();
  printf("%lld\n", v[0]);
}
