#include <stdio.h>
#include <unistd.h>

int gcd(int a, int b);

int main(void) {
    /* What the student's code prints is no answer. */
    FILE *answers = fdopen(dup(1), "w");
    dup2(2, 1);
    int a, b;
    while (scanf(" gcd %d %d", &a, &b) == 2) {
        fprintf(answers, "%d\n", gcd(a, b));
        fflush(answers);
    }
    return 0;
}
