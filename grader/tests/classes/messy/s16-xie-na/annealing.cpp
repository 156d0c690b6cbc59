#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

int energy(const vector<int> &q) {
    int e = 0;
    for (size_t i = 0; i < q.size(); i++)
        for (size_t j = 0; j < i; j++)
            if (abs(q[i] - q[j]) == int(i - j)) e++;
    return e;
}

int main(int argc, char **argv) {
    vector<int> q(atoi(argv[1]));
    for (size_t i = 0; i < q.size(); i++) q[i] = i;
    int e = energy(q);
    for (double t = 1; e > 0; t = max(0.25, t * 0.999)) {
        size_t i = rand() % q.size(), j = rand() % q.size();
        swap(q[i], q[j]);
        int f = energy(q);
        if (f <= e || drand48() < exp((e - f) / t)) e = f;
        else swap(q[i], q[j]);
    }
    cout << "[";
    for (size_t i = 0; i < q.size(); i++) cout << (i ? ", " : "") << q[i];
    cout << "]" << endl;
}
