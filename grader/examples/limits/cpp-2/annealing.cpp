#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

class Annealer {
    int n;
    std::vector<int> q;
    std::vector<int> up, down;

    void update(int i, int k) {
        up[i + q[i]] += k;
        down[i - q[i] + n] += k;
    }

    int energy() {
        int e = 0;
        for (int k : up)
            if (k > 1) e += k - 1;
        for (int k : down)
            if (k > 1) e += k - 1;
        return e;
    }

    void swap(int i, int j) {
        update(i, -1), update(j, -1);
        std::swap(q[i], q[j]);
        update(i, 1), update(j, 1);
    }

public:
    Annealer(int size) : n(size), q(size), up(2 * size), down(2 * size + 1) {
        for (int i = 0; i < n; i++) q[i] = i;
        for (int i = 0; i < n; i++) update(i, 1);
    }

    void run() {
        int e = energy();
        while (e > 0) {
            for (double t = 30; t > 0.01 && e > 0; t *= 0.95) {
                for (int k = 0; k < 10 * n && e > 0; k++) {
                    int i = rand() % n, j = rand() % n;
                    if (i == j) continue;
                    swap(i, j);
                    int f = energy();
                    if (f < e || exp((e - f) / t) > (double)rand() / RAND_MAX) e = f;
                    else swap(i, j);
                }
            }
        }
        for (int c : q) printf("%d ", c + 1);
        printf("\n");
    }
};

int main(int argc, char** argv) {
    srand(time(0));
    Annealer(atoi(argv[1])).run();
}
