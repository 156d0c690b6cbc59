#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>
#include <vector>
using namespace std;

int main(int argc, char **argv) {
    cout << "Simulated annealing, please wait ... ";
    int n = atoi(argv[1]);
    mt19937 rng(random_device{}());
    vector<int> q(n);
    for (int i = 0; i < n; i++) q[i] = i + 1;
    auto energy = [&] {
        vector<int> up(2 * n + 1), down(2 * n + 1);
        int sum = 0;
        for (int i = 0; i < n; i++) sum += up[i + q[i]]++ + down[i - q[i] + n]++;
        return sum;
    };
    int now = energy();
    double t = 1;
    while (now > 0) {
        int a = rng() % n, b = rng() % n;
        swap(q[a], q[b]);
        int next = energy();
        if (next <= now || rng() / 4294967296.0 < exp((now - next) / t))
            now = next;
        else
            swap(q[a], q[b]);
        t = t < 0.1 ? 1 : t * 0.9999;
    }
    for (int c : q) cout << c << ' ';
    cout << endl;
}
