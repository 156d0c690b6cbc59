#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

// Counts every attacked pair, even when the first one has settled the matter.
int conflicts(const vector<int> &q) {
    int n = q.size(), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && (q[i] == q[j] || q[i] - q[j] == i - j || q[i] - q[j] == j - i)) sum++;
    return sum;
}

int main() {
    int n, total = 0;
    cin >> n;
    vector<int> q;
    for (int i = 1; i <= n; i++) q.push_back(i);
    do {
        if (conflicts(q) == 0 && ++total <= 3) {
            for (int i = 0; i < n; i++) cout << q[i] << (i + 1 < n ? ' ' : '\n');
        }
    } while (next_permutation(q.begin(), q.end()));
    cout << total << endl;
}
