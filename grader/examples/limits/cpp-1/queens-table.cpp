#include <iostream>
#include <vector>
using namespace std;

bool ok(const vector<int>& q, int c) {
    for (size_t i = 0; i < q.size(); i++)
        if (q[i] == c || abs(q[i] - c) == (int)(q.size() - i)) return false;
    return true;
}

int count(vector<int>& q, int n) {
    if ((int)q.size() == n) return 1;
    int sum = 0;
    for (int c = 0; c < n; c++)
        if (ok(q, c)) {
            q.push_back(c);
            sum += count(q, n);
            q.pop_back();
        }
    return sum;
}

int main() {
    vector<int> table(13, -1);
    int n;
    while (cin >> n && n != 0) {
        if (table[n] < 0) {
            vector<int> q;
            table[n] = count(q, n);
        }
        cout << table[n] << endl;
    }
}
