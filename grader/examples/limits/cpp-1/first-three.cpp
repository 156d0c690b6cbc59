#include <iostream>
#include <vector>
using namespace std;

bool ok(const vector<int>& q, int c) {
    int row = q.size();
    for (int i = 0; i < row; i++)
        if (q[i] == c || q[i] - c == row - i || c - q[i] == row - i) return false;
    return true;
}

void solve(vector<int>& q, int n, int& count) {
    if ((int)q.size() == n) {
        count++;
        if (count <= 3) {
            for (int i = 0; i < n; i++) cout << q[i] << (i == n - 1 ? "" : " ");
            cout << endl;
        }
        return;
    }
    for (int c = 1; c <= n; c++)
        if (ok(q, c)) {
            q.push_back(c);
            solve(q, n, count);
            q.pop_back();
        }
}

int main() {
    int n, count = 0;
    cin >> n;
    vector<int> q;
    solve(q, n, count);
    cout << count << endl;
}
