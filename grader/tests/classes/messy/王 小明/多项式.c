/* 多项式时间的局部搜索:每次把一个受攻击的皇后换到冲突最少的位置 */
#include <stdio.h>
#include <stdlib.h>

int n, q[10001], a[20002], b[20002];

void add(int i, int d)
{
    a[i + q[i]] += d;
    b[i - q[i] + n] += d;
}

int hit(int i)
{
    return a[i + q[i]] > 1 || b[i - q[i] + n] > 1;
}

int load(int i)
{
    return a[i + q[i]] + b[i - q[i] + n];
}

void swap(int i, int j)
{
    int t = q[i];
    q[i] = q[j];
    q[j] = t;
}

int main(int argc, char **argv)
{
    int i, j, k, bad, old;
    n = atoi(argv[1]);
    if (n > 10000) {
        printf("n 太大\n");
        return 1;
    }
    srand(1);
again:
    for (i = 0; i < 2 * n + 2; i++)
        a[i] = b[i] = 0;
    for (i = 0; i < n; i++)
        q[i] = i;
    for (i = n - 1; i > 0; i--)
        swap(i, rand() % (i + 1));
    for (i = 0; i < n; i++)
        add(i, 1);
    for (k = 0; k < 100; k++) {
        bad = 0;
        for (i = 0; i < n; i++) {
            /* 随机换,变好才留下 */
            for (j = 0; j < 1000 && hit(i); j++) {
                int o = rand() % n;
                if (o == i)
                    continue;
                old = load(i) + load(o);
                add(i, -1); add(o, -1);
                swap(i, o);
                add(i, 1); add(o, 1);
                if (load(i) + load(o) >= old) {
                    add(i, -1); add(o, -1);
                    swap(i, o);
                    add(i, 1); add(o, 1);
                }
            }
            if (hit(i))
                bad = 1;
        }
        for (i = 0; i < n && !bad; i++)
            bad = hit(i);
        if (!bad)
            break;
    }
    if (bad)
        goto again;
    for (i = 0; i < n; i++)
        printf("%d ", q[i] + 1);
    printf("\n");
    return 0;
}
