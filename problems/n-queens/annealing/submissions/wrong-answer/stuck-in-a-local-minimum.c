/* Accepts improvements only and prints the board on which it gets stuck. */
#include <stdio.h>
#include <stdlib.h>

int n, queen[1000];
unsigned long long seed = 20;

int below(int bound)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((seed >> 33) % bound);
}

int conflicts(void)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (abs(queen[i] - queen[j]) == j - i)
                sum++;
    return sum;
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        queen[i] = i + 1;
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }
    int energy = conflicts(), better = 1;
    while (energy > 0 && better) {
        better = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                int t = queen[i];
                queen[i] = queen[j];
                queen[j] = t;
                int next = conflicts();
                if (next < energy) {
                    energy = next;
                    better = 1;
                } else {
                    t = queen[i];
                    queen[i] = queen[j];
                    queen[j] = t;
                }
            }
    }
    for (int i = 0; i < n; i++)
        printf("%d ", queen[i]);
    printf("\n");
    return 0;
}
