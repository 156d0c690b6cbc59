#include <stdio.h>
#include <stdlib.h>
#define M 1000000007ll
char t[1000][16];
int n;
long long value(int from, int to) {
  int depth = 0, sum = -1, times = -1;
  for (int i = from; i < to; i++) {
    char c = t[i][0];
    depth += (c == '(') - (c == ')');
    if (depth == 0 && (c == '+' || c == '-')) sum = i;
    if (depth == 0 && c == '*') times = i;
  }
  if (sum >= 0) {
    long long a = value(from, sum), b = value(sum + 1, to);
    return t[sum][0] == '+' ? (a + b) % M : (a + M - b) % M;
  }
  if (times >= 0) return value(from, times) * value(times + 1, to) % M;
  if (t[from][0] == '(') return value(from + 1, to - 1);
  return atoll(t[from]) % M;
}
int main() {
  while (n < 999 && scanf("%15s", t[n]) == 1) n++;
  printf("%lld\n", value(0, n));
}
