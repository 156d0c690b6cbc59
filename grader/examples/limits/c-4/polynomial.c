/* initial search, then final search, as in the hints */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n;
int *queen, *dp, *dn;

void swap(int i, int j)
{
    int t = queen[i];
    queen[i] = queen[j];
    queen[j] = t;
}

void change(int i, int d)
{
    dp[i + queen[i]] += d;
    dn[i - queen[i] + n] += d;
}

int attacked(int i)
{
    return dp[i + queen[i]] > 1 || dn[i - queen[i] + n] > 1;
}

int initial_search(void)
{
    int j = 0;
    for (int i = 0; i < n; i++)
        queen[i] = i;
    for (int i = 0; i < 2 * n + 1; i++)
        dp[i] = dn[i] = 0;
    for (int tries = 0; tries < 3.08 * n && j < n; tries++) {
        int m = j + rand() % (n - j);
        swap(j, m);
        if (dp[j + queen[j]] == 0 && dn[j - queen[j] + n] == 0) {
            change(j, 1);
            j++;
        }
    }
    int k = n - j;
    for (; j < n; j++) {
        swap(j, j + rand() % (n - j));
        change(j, 1);
    }
    return k;
}

int final_search(int k)
{
    for (int i = n - k; i < n; i++) {
        int tries = 0;
        while (attacked(i)) {
            if (tries++ == 10000)
                return 0;
            int j = rand() % n;
            if (i == j)
                continue;
            change(i, -1);
            change(j, -1);
            swap(i, j);
            change(i, 1);
            change(j, 1);
            if (attacked(i) || attacked(j)) {
                change(i, -1);
                change(j, -1);
                swap(i, j);
                change(i, 1);
                change(j, 1);
            }
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    n = atoi(argv[1]);
    queen = malloc(sizeof(int) * n);
    dp = malloc(sizeof(int) * (2 * n + 1));
    dn = malloc(sizeof(int) * (2 * n + 1));
    srand(time(NULL));
    while (!final_search(initial_search()))
        ;
    for (int i = 0; i < n; i++)
        printf("%d ", queen[i] + 1);
    return 0;
}
