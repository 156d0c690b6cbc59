#include <stdio.h>
#include <stdlib.h>
#define M 1000000007ll
typedef struct { long long sum, term; int sign; } Level;
Level s[1000];
int main() {
  char t[16];
  int d = 0;
  s[0] = (Level){0, 1, 1};
  while (scanf("%15s", t) == 1) {
    long long value;
    if (t[0] == '(') { s[++d] = (Level){0, 1, 1}; continue; }
    if (t[0] == '*') continue;
    if (t[0] == '+' || t[0] == '-') {
      s[d].sum = (s[d].sum + s[d].sign * s[d].term) % M;
      s[d].term = 1;
      s[d].sign = t[0] == '+' ? 1 : -1;
      continue;
    }
    if (t[0] == ')') value = (s[d].sum + s[d].sign * s[d].term) % M, d--;
    else value = atoll(t) % M;
    s[d].term = s[d].term * value % M;
  }
  long long value = (s[0].sum + s[0].sign * s[0].term) % M;
  printf("%lld\n", (value + M) % M);
}
