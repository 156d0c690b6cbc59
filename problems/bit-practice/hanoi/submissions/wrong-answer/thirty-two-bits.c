#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int k = atoi(argv[2]);
    int from = 1, to = 3;
    int peg[64];
    for (int i = n - 1; i >= 0; i--) {
        long long half = 1LL << i;
        int other = 6 - from - to;
        if (k >= half) {
            peg[i] = to;
            from = other;
            k -= half;
        } else {
            peg[i] = from;
            to = other;
        }
    }
    for (int i = 0; i < n; i++)
        printf("%d ", peg[i]);
    printf("\n");
    return 0;
}
