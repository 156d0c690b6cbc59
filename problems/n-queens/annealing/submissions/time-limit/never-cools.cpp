// The temperature never falls, and the energy is counted pair by pair.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>
#include <vector>
using namespace std;

mt19937 engine(random_device{}());

unsigned below(unsigned bound) { return engine() % bound; }

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    vector<int> q(n);
    for (int i = 0; i < n; i++) q[i] = i + 1;
    auto energy = [&] {
        int sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j && abs(q[i] - q[j]) == abs(i - j)) sum++;
        return sum;
    };
    const double t = 2;
    int now = energy();
    while (now > 0) {
        int a = below(n), b = below(n);
        swap(q[a], q[b]);
        int next = energy();
        if (next <= now || below(1000000) / 1e6 < exp((now - next) / t))
            now = next;
        else
            swap(q[a], q[b]);
    }
    for (int c : q) cout << c << ' ';
    cout << endl;
}
