#include <cstdlib>
#include <iostream>
using namespace std;

int n, q[20];

bool ok(int row, int c) {
    for (int i = 0; i < row; i++)
        if (q[i] == c || abs(q[i] - c) == row - i) return false;
    return true;
}

void show() {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) cout << (q[i] == j ? 'Q' : '#');
        cout << '\n';
    }
}

void dfs(int row) {
    if (row == n) {
        show();
        return;
    }
    for (int c = 0; c < n; c++)
        if (ok(row, c)) {
            q[row] = c;
            dfs(row + 1);
        }
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    dfs(0);
    return 0;
}
