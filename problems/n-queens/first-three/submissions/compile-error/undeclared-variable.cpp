#include <iostream>
using namespace std;

int n, a[15];
bool col[15], up[30], down[30];

void place(int row) {
    if (row > n) {
        if (++total <= 3) {
            for (int i = 1; i <= n; i++) cout << a[i] << ' ';
            cout << endl;
        }
        return;
    }
    for (int c = 1; c <= n; c++) {
        if (col[c] || up[row + c] || down[row - c + n]) continue;
        a[row] = c;
        col[c] = up[row + c] = down[row - c + n] = true;
        place(row + 1);
        col[c] = up[row + c] = down[row - c + n] = false;
    }
}

int main() {
    cin >> n;
    place(1);
    cout << total << endl;
}
