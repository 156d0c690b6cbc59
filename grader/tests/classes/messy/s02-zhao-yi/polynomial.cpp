// QS4 (Sosic, Gu 1994)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>
using namespace std;

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    mt19937 rng(n);
    vector<int> q(n), a(2 * n), b(2 * n);
    auto add = [&](int i, int d) {
        a[i + q[i]] += d;
        b[i - q[i] + n] += d;
    };
    auto hit = [&](int i) { return a[i + q[i]] > 1 || b[i - q[i] + n] > 1; };
    // attacks on queen i, without i itself
    auto load = [&](int i) { return a[i + q[i]] + b[i - q[i] + n] - 2; };
    for (;;) {
        fill(a.begin(), a.end(), 0);
        fill(b.begin(), b.end(), 0);
        iota(q.begin(), q.end(), 0);
        int i = 0;
        for (int tries = 0; i < n && tries < 4 * n; tries++) {
            swap(q[i], q[i + rng() % (n - i)]);
            if (a[i + q[i]] || b[i - q[i] + n]) continue;
            add(i++, 1);
        }
        for (; i < n; i++) {
            swap(q[i], q[i + rng() % (n - i)]);
            add(i, 1);
        }
        bool solved = false;
        for (int round = 0; round < 100 && !solved; round++) {
            solved = true;
            for (int i = 0; i < n; i++) {
                for (int tries = 0; tries < 1000 && hit(i); tries++) {
                    int j = rng() % n;
                    if (i == j) continue;
                    int before = load(i) + load(j);
                    add(i, -1), add(j, -1);
                    swap(q[i], q[j]);
                    add(i, 1), add(j, 1);
                    if (load(i) + load(j) < before) continue;
                    add(i, -1), add(j, -1);
                    swap(q[i], q[j]);
                    add(i, 1), add(j, 1);
                }
                if (hit(i)) solved = false;
            }
            if (solved)
                for (int i = 0; i < n; i++) solved = solved && !hit(i);
        }
        if (solved) break;
    }
    for (int i = 0; i < n; i++) printf("%d\n", q[i] + 1);
}
