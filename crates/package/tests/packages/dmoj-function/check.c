#include <stdio.h>
int main(void) { fputs("partial 2/5\n", stderr); return 7; }
