// The usual contest solution: three arrays of flags, and a blank after every number.
#include <iostream>
using namespace std;

int n, total, a[15];
bool column[15], rising[30], falling[30];

void place(int row) {
    if (row > n) {
        if (++total <= 3) {
            for (int i = 1; i <= n; i++) cout << a[i] << ' ';
            cout << '\n';
        }
        return;
    }
    for (int c = 1; c <= n; c++) {
        if (column[c] || rising[row + c] || falling[row - c + n]) continue;
        column[c] = rising[row + c] = falling[row - c + n] = true;
        a[row] = c;
        place(row + 1);
        column[c] = rising[row + c] = falling[row - c + n] = false;
    }
}

int main() {
    cin >> n;
    place(1);
    cout << total << endl;
    return 0;
}
