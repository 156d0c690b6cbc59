// QS1: all pairs, swap when the number of collisions gets smaller
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int n;
int queen[1000005];
int d1[2000010], d2[2000010];

int collisions(void)
{
    int sum = 0;
    for (int i = 0; i < 2 * n; i++) {
        if (d1[i] > 1) sum += d1[i] - 1;
        if (d2[i] > 1) sum += d2[i] - 1;
    }
    return sum;
}

void init(void)
{
    for (int i = 0; i < n; i++)
        queen[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = rand() % (i + 1);
        int t = queen[i];
        queen[i] = queen[j];
        queen[j] = t;
    }
    for (int i = 0; i < 2 * n; i++)
        d1[i] = d2[i] = 0;
    for (int i = 0; i < n; i++) {
        d1[i + queen[i]]++;
        d2[i - queen[i] + n]++;
    }
}

int attacked(int i)
{
    return d1[i + queen[i]] > 1 || d2[i - queen[i] + n] > 1;
}

// takes queen i off the board, returns how many collisions disappear
int take(int i)
{
    int c = 0;
    d1[i + queen[i]]--;
    d2[i - queen[i] + n]--;
    if (d1[i + queen[i]] > 0) c++;
    if (d2[i - queen[i] + n] > 0) c++;
    return c;
}

int put(int i)
{
    int c = 0;
    if (d1[i + queen[i]] > 0) c++;
    if (d2[i - queen[i] + n] > 0) c++;
    d1[i + queen[i]]++;
    d2[i - queen[i] + n]++;
    return c;
}

int swap(int i, int j)
{
    int change = 0;
    change -= take(i);
    change -= take(j);
    int t = queen[i];
    queen[i] = queen[j];
    queen[j] = t;
    change += put(i);
    change += put(j);
    return change;
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    srand(time(NULL));
    for (;;) {
        init();
        int c = collisions();
        int swaps;
        do {
            swaps = 0;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    if (attacked(i) || attacked(j)) {
                        int change = swap(i, j);
                        if (change < 0) {
                            c += change;
                            swaps++;
                        } else {
                            swap(i, j);
                        }
                    }
                    if (c == 0)
                        break;
                }
                if (c == 0)
                    break;
            }
        } while (swaps > 0 && c > 0);
        if (c == 0)
            break;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", queen[i] + 1);
    printf("\n");
    return 0;
}
