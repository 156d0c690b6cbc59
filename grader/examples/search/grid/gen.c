#include <stdio.h>
#include <stdlib.h>
unsigned long long x;
long long rnd(long long k) { x = x * 6364136223846793005ull + 1442695040888963407ull; return (long long)((x >> 33) * (k + 0ull) >> 31); }
int main(int c, char **v) {
  x = atoi(v[c - 1]), rnd(1), rnd(1);
  int rows = atoi(v[1]), columns = atoi(v[2]), percent = atoi(v[3]);
  printf("%d %d\n", rows, columns);
  for (int i = 0; i < rows; i++, puts(""))
    for (int j = 0; j < columns; j++) {
      int corner = i + j == 0 || (i == rows - 1 && j == columns - 1);
      putchar(!corner && rnd(100) < percent ? 35 : 46);
    }
}
