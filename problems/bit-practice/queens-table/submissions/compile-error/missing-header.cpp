#include <bits/c++std.h>
using namespace std;

int table[13], n;

void place(int row, int columns, int left, int right) {
    if (row == n) {
        table[n]++;
        return;
    }
    for (int free = ((1 << n) - 1) & ~(columns | left | right); free; free &= free - 1) {
        int bit = free & -free;
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main() {
    for (n = 1; n <= 12; n++) place(0, 0, 0, 0);
    while (cin >> n && n) cout << table[n] << endl;
}
