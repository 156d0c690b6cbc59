#include <iostream>
#include <vector>
#include <ctime>
#include <cstdlib>
using namespace std;

int main(int argc, char* argv[]) {
    int n = atoi(argv[1]);
    srand(time(NULL));
    vector<int> queen(n);
    while (true) {
        for (int i = 0; i < n; i++) queen[i] = i;
        for (int i = 0; i < n; i++) swap(queen[i], queen[rand() % n]);
        vector<int> main_diagonal(2 * n, 0), other_diagonal(2 * n, 0);
        for (int i = 0; i < n; i++) {
            main_diagonal[queen[i] - i + n]++;
            other_diagonal[queen[i] + i]++;
        }
        auto pairs = [](int k) { return k * (k - 1) / 2; };
        long long collisions = 0;
        for (int i = 0; i < 2 * n; i++) collisions += pairs(main_diagonal[i]) + pairs(other_diagonal[i]);
        long long without = 0;
        while (collisions > 0 && without < 500LL * n + 10000) {
            // two random queens
            int i = rand() % n, j = rand() % n;
            without++;
            if (i == j) continue;
            if (main_diagonal[queen[i] - i + n] < 2 && other_diagonal[queen[i] + i] < 2) continue;
            long long now = collisions;
            auto move = [&](int row, int column, int d) {
                int& m = main_diagonal[column - row + n];
                int& o = other_diagonal[column + row];
                now -= pairs(m) + pairs(o);
                m += d;
                o += d;
                now += pairs(m) + pairs(o);
            };
            int qi = queen[i], qj = queen[j];
            move(i, qi, -1);
            move(j, qj, -1);
            move(i, qj, 1);
            move(j, qi, 1);
            if (now < collisions) {
                collisions = now;
                swap(queen[i], queen[j]);
                without = 0;
            } else {
                move(i, qj, -1);
                move(j, qi, -1);
                move(i, qi, 1);
                move(j, qj, 1);
            }
        }
        if (collisions == 0) break;
    }
    for (int i = 0; i < n; i++) cout << queen[i] + 1 << (i + 1 < n ? " " : "\n");
}
