#include <cstdlib>
#include <iostream>
using namespace std;

int n, q[20];

bool safe(int row) {
    for (int i = 1; i < row; i++)
        if (q[i] == q[row] || abs(q[i] - q[row]) == row - i) return false;
    return true;
}

int main() {
    cin >> n;
    int row = 1, total = 0;
    while (row > 0) {
        q[row]++;
        while (q[row] <= n && !safe(row)) q[row]++;
        if (q[row] > n) {
            q[row] = 0;
        } else if (row < n) {
            row++;
        } else {
            total++;
            if (total <= 3)
                for (int i = 1; i <= n; i++) cout << q[i] << (i < n ? " " : "\n");
        }
    }
    cout << total << endl;
    return 0;
}
