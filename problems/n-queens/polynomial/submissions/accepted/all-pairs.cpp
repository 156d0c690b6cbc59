// The paper's first method (QS1), written without a look at the limits.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>
using namespace std;

int n;
vector<int> q, diag1, diag2;
mt19937 rng(random_device{}());

int remove_queen(int i) {
    int lost = 0;
    if (--diag1[i + q[i]] >= 1) lost++;
    if (--diag2[i - q[i] + n] >= 1) lost++;
    return lost;
}

int add_queen(int i) {
    int won = 0;
    if (++diag1[i + q[i]] > 1) won++;
    if (++diag2[i - q[i] + n] > 1) won++;
    return won;
}

bool is_attacked(int i) { return diag1[i + q[i]] > 1 || diag2[i - q[i] + n] > 1; }

int try_swap(int i, int j) {
    int delta = -remove_queen(i) - remove_queen(j);
    swap(q[i], q[j]);
    return delta + add_queen(i) + add_queen(j);
}

bool local_search() {
    shuffle(q.begin(), q.end(), rng);
    fill(diag1.begin(), diag1.end(), 0);
    fill(diag2.begin(), diag2.end(), 0);
    int total = 0;
    for (int i = 0; i < n; i++) total += add_queen(i);
    bool improved = true;
    while (total > 0 && improved) {
        improved = false;
        for (int i = 0; i < n && total > 0; i++)
            for (int j = i + 1; j < n && total > 0; j++) {
                if (!is_attacked(i) && !is_attacked(j)) continue;
                int delta = try_swap(i, j);
                if (delta < 0) {
                    total += delta;
                    improved = true;
                } else {
                    try_swap(i, j);
                }
            }
    }
    return total == 0;
}

int main(int argc, char* argv[]) {
    n = stoi(argv[1]);
    q.resize(n);
    iota(q.begin(), q.end(), 0);
    diag1.resize(2 * n + 1);
    diag2.resize(2 * n + 1);
    while (!local_search()) {
    }
    for (int i = 0; i < n; i++) cout << q[i] + 1 << " ";
    cout << endl;
}
