#include <stdio.h>
#include <stdlib.h>

int n, q[20];

int ok(int k)
{
    int i;
    for (i = 0; i < k; i++)
        if (q[i] == q[k] || abs(q[i] - q[k]) == k - i)
            return 0;
    return 1;
}

void show()
{
    char s[400] = "";
    int i, j, at = 0;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            s[at++] = q[i] == j ? 'Q' : '#';
        s[at++] = '\n';
    }
    printf("%s", s);
}

void main(int argc, char **argv)
{
    int k = 0;
    n = atoi(argv[1]);
    q[0] = -1;
    while (k < n) {
        q[k]++;
        while (q[k] < n && !ok(k))
            q[k]++;
        if (q[k] == n)
            k--;
        else
            q[++k] = -1;
    }
    show();
}
