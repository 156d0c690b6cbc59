// Keeps the whole history of the search, to draw a curve from it some day.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <list>
#include <utility>
#include <vector>
using namespace std;

unsigned long long seed = 11;

unsigned below(unsigned bound) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % bound;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    vector<int> q(n), up(2 * n + 1), down(2 * n + 1);
    list<vector<int>> history;
    int now = 0;
    auto put = [&](int row) { now += up[row + q[row]]++ + down[row - q[row] + n]++; };
    auto take = [&](int row) { now -= --up[row + q[row]] + --down[row - q[row] + n]; };
    auto exchange = [&](int a, int b) {
        take(a), take(b);
        swap(q[a], q[b]);
        put(a), put(b);
    };
    for (int i = 0; i < n; i++) q[i] = i + 1, put(i);
    // Cools so slowly that a large board needs millions of steps.
    double t = 3;
    while (now > 0) {
        history.push_back(q);
        int before = now, a = below(n), b = below(n);
        if (a == b) continue;
        exchange(a, b);
        if (now > before && below(1000000) / 1e6 >= exp((before - now) / t)) exchange(a, b);
        if (t > 0.15) t *= 0.9999995;
    }
    for (int c : q) cout << c << ' ';
    cout << endl;
}
