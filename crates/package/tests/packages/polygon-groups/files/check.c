#include <stdio.h>
#include "limits.h"

/* Two numbers whose sum is the input's, and whose distance is the answer's. */
int main(int argc, char **argv) {
    int total, a, b, c, d;
    if (argc < 4)
        return 3;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "r"), *answer = fopen(argv[3], "r");
    if (fscanf(input, "%d", &total) != 1 || total > MOST || fscanf(answer, "%d %d", &c, &d) != 2)
        return 3;
    if (fscanf(output, "%d %d", &a, &b) != 2) {
        fprintf(stderr, "wrong output format expected two numbers\n");
        return 2;
    }
    if (a + b != total || (a - b) * (a - b) != (c - d) * (c - d)) {
        fprintf(stderr, "wrong answer %d and %d\n", a, b);
        return 1;
    }
    fprintf(stderr, "ok\n");
    return 0;
}
