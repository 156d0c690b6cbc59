/* 教科书上的数组法:用三个标志数组记住列和两个方向的斜线。结果正确,但比位运算慢得多。 */
#include <stdio.h>
#include <stdlib.h>

int n;
int column[16], rising[32], falling[32];
long total;

void place(int row)
{
    if (row == n) {
        total++;
        return;
    }
    for (int c = 0; c < n; c++) {
        if (column[c] || rising[row + c] || falling[row - c + n])
            continue;
        column[c] = rising[row + c] = falling[row - c + n] = 1;
        place(row + 1);
        column[c] = rising[row + c] = falling[row - c + n] = 0;
    }
}

int main(int argc, char *argv[])
{
    n = atoi(argv[1]);
    place(0);
    printf("%ld\n", total);
    return 0;
}
