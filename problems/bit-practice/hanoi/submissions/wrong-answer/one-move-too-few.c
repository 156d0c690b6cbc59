#include <stdio.h>
#include <stdlib.h>

long long k, done;
int peg[70];

void move(int disc, int from, int to)
{
    int other = 6 - from - to;
    long long half = 1LL << (disc - 1);
    if (disc == 0)
        return;
    if (done + half < k) {
        peg[disc] = to;
        done += half;
        move(disc - 1, other, to);
    } else {
        peg[disc] = from;
        move(disc - 1, from, other);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    k = atoll(argv[2]);
    move(n, 1, 3);
    for (int d = 1; d <= n; d++)
        printf(d == n ? "%d\n" : "%d ", peg[d]);
    return 0;
}
