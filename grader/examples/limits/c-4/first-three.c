#include <stdio.h>
#include <stdlib.h>

/* backtracking with a loop; every placed queen is checked against the earlier ones */
int main()
{
    int n, row = 0, found = 0;
    int pos[16];
    scanf("%d", &n);
    pos[0] = -1;
    while (row >= 0) {
        pos[row]++;
        if (pos[row] >= n) {
            row--;
            continue;
        }
        int ok = 1;
        for (int i = 0; i < row; i++) {
            if (pos[i] == pos[row] || pos[i] - i == pos[row] - row || pos[i] + i == pos[row] + row)
                ok = 0;
        }
        if (!ok) continue;
        if (row == n - 1) {
            found++;
            if (found <= 3) {
                for (int i = 0; i < n; i++) printf("%d%c", pos[i] + 1, i == n - 1 ? '\n' : ' ');
            }
        } else {
            row++;
            pos[row] = -1;
        }
    }
    printf("%d\n", found);
    return 0;
}
