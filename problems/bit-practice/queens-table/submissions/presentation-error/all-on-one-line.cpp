#include <iostream>
using namespace std;

int place(int n, int row, int columns, int left, int right) {
    if (row == n) return 1;
    int total = 0;
    for (int c = 0; c < n; c++) {
        int bit = 1 << c;
        if ((columns | left | right) & bit) continue;
        total += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return total;
}

int main() {
    int table[13];
    for (int n = 1; n < 13; n++) table[n] = place(n, 0, 0, 0, 0);
    int n;
    cin >> n;
    while (n != 0) {
        cout << table[n] << " ";
        cin >> n;
    }
    return 0;
}
