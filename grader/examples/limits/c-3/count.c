/* columns and diagonals as bits of three numbers that do not move */
#include <stdio.h>
#include <stdlib.h>

int n, cols, sum;
long long diff;
int answer;

void dfs(int row)
{
    if (row == n) {
        answer++;
        return;
    }
    for (int c = 0; c < n; c++) {
        int s = row + c, d = row - c + n;
        if ((cols >> c & 1) || (sum >> s & 1) || (diff >> d & 1))
            continue;
        cols ^= 1 << c;
        sum ^= 1 << s;
        diff ^= 1LL << d;
        dfs(row + 1);
        cols ^= 1 << c;
        sum ^= 1 << s;
        diff ^= 1LL << d;
    }
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    dfs(0);
    printf("%d\n", answer);
    return 0;
}
