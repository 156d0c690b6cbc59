/* No annealing: the even columns and then the odd ones, with the exceptions that n = 2 and n = 3 modulo 6 need
   (Pauls, 1874). It draws no random number, and is right for every n above 3. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 0;
    if (n < 4)
        return 2;
    int rest = n % 6;
    for (int c = 2; c <= n; c += 2)
        if (rest != 3 || c != 2)
            printf("%d ", c);
    if (rest == 3)
        printf("2 ");
    if (rest == 2) {
        printf("3 1 ");
        for (int c = 7; c <= n; c += 2)
            printf("%d ", c);
        printf("5\n");
    } else if (rest == 3) {
        for (int c = 5; c <= n; c += 2)
            printf("%d ", c);
        printf("1 3\n");
    } else {
        for (int c = 1; c <= n; c += 2)
            printf("%d ", c);
        printf("\n");
    }
    return 0;
}
