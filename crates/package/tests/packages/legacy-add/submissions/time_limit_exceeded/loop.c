#include <stdio.h>
int main(void) { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; for (volatile int i = 0; a < 0; i++) {} printf("%lld\n", (long long)a + b); }
