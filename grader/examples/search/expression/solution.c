#include <stdio.h>
#include <stdlib.h>
#define M 1000000007ll
char t[32];
int next(void) { return scanf("%31s", t) == 1 ? t[0] : (t[0] = 0); }
long long sum(void);
long long factor(void) {
  long long value = atoll(t) % M;
  if (t[0] == '(') next(), value = sum();
  next();
  return value;
}
long long product(void) {
  long long value = factor();
  while (t[0] == '*') next(), value = value * factor() % M;
  return value;
}
long long sum(void) {
  long long value = product();
  while (t[0] == '+' || t[0] == '-') {
    char sign = t[0];
    next();
    long long right = product();
    value = (value + (sign == '+' ? right : M - right)) % M;
  }
  return value;
}
int main() {
  next();
  printf("%lld\n", sum());
}
