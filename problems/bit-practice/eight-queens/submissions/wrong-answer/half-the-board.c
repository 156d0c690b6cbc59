#include <stdio.h>

int total;

void dfs(int cols, int l, int r)
{
    if (cols == 255) {
        total++;
        return;
    }
    for (int b = 1; b < 256; b <<= 1)
        if (!(b & (cols | l | r)))
            dfs(cols | b, (l | b) << 1, (r | b) >> 1);
}

int main()
{
    /* mirror images: only the left half of the first row */
    for (int b = 1; b < 16; b <<= 1)
        dfs(b, b << 1, b >> 1);
    printf("%d\n", total);
    return 0;
}
