#include <stdio.h>
#include <stdbool.h>

struct board {
    int n;
    int queen[14];
    bool column[14], sum[28], difference[28];
    long solutions;
};

static void print(const struct board *b)
{
    for (int i = 0; i < b->n; i++) {
        if (i) printf(" ");
        printf("%d", b->queen[i] + 1);
    }
    printf("\n");
}

static void search(struct board *b, int row)
{
    if (row == b->n) {
        if (b->solutions < 3) print(b);
        b->solutions++;
        return;
    }
    for (int c = 0; c < b->n; c++) {
        if (!b->column[c] && !b->sum[row + c] && !b->difference[row - c + 13]) {
            b->queen[row] = c;
            b->column[c] = b->sum[row + c] = b->difference[row - c + 13] = true;
            search(b, row + 1);
            b->column[c] = b->sum[row + c] = b->difference[row - c + 13] = false;
        }
    }
}

int main(void)
{
    struct board b = {0};
    if (scanf("%d", &b.n) != 1) return 1;
    search(&b, 0);
    printf("%ld\n", b.solutions);
    return 0;
}
