#include <stdio.h>

/* Choose 8 of the 64 squares, look at the attacks at the end. */
int square[8];
long long total;

int attack(int a, int b)
{
    int r = a / 8 - b / 8, c = a % 8 - b % 8;
    return r == 0 || c == 0 || r == c || r == -c;
}

void choose(int k, int from)
{
    if (k == 8) {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < i; j++)
                if (attack(square[i], square[j]))
                    return;
        total++;
        return;
    }
    for (int s = from; s < 64; s++) {
        square[k] = s;
        choose(k + 1, s + 1);
    }
}

int main(void)
{
    choose(0, 0);
    printf("%lld\n", total);
    return 0;
}
