#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>
using namespace std;

int energy(const vector<int>& q) {
    int e = 0;
    for (size_t i = 0; i < q.size(); i++)
        for (size_t j = i + 1; j < q.size(); j++)
            if (abs(q[i] - q[j]) == (int)(j - i)) e++;
    return e;
}

int main(int argc, char* argv[]) {
    int n = stoi(argv[1]);
    mt19937 gen(random_device{}());
    uniform_int_distribution<int> pick(0, n - 1);
    uniform_real_distribution<double> real(0, 1);
    vector<int> q(n);
    for (int i = 0; i < n; i++) q[i] = i + 1;
    shuffle(q.begin(), q.end(), gen);
    int e = energy(q);
    double t = 2;
    while (e > 0) {
        vector<int> other = q;
        swap(other[pick(gen)], other[pick(gen)]);
        int f = energy(other);
        if (f <= e || real(gen) < exp((e - f) / t)) {
            q = other;
            e = f;
        }
        t *= 0.9995;
        if (t < 0.1) t = 2;
    }
    for (int c : q) cout << c << ' ';
    cout << endl;
}
