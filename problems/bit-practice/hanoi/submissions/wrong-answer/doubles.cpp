#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double k = atof(argv[2]);
    for (int d = 1; d <= n; d++) {
        double moves = floor(k / pow(2, d) + 0.5);
        int turn = (int)fmod(moves, 3);
        if ((n - d) % 2 == 0) turn = (3 - turn) % 3;
        printf("%d ", turn + 1);
    }
    printf("\n");
}
