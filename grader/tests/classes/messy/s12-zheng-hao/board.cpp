#include <cstdlib>
#include <iostream>
using namespace std;

int n, q[20];

bool safe(int row) {
    for (int i = 1; i < row; i++)
        if (q[i] == q[row] || abs(q[i] - q[row]) == row - i) return false;
    return true;
}

int main(int argc, char *argv[]) {
    n = atoi(argv[1]);
    // 第一个皇后放在角上
    q[1] = 1;
    int row = 2;
    q[2] = 0;
    while (row <= n) {
        q[row]++;
        while (q[row] <= n && !safe(row)) q[row]++;
        if (q[row] > n) {
            // 回溯
            if (row > 2) row--;
            else q[row] = 0;
        } else {
            row++;
            q[row] = 0;
        }
    }
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) cout << (q[i] == j ? "Q" : "#");
        cout << endl;
    }
    return 0;
}
