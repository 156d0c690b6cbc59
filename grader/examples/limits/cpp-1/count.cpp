#include <bitset>
#include <iostream>
using namespace std;

int n;
bitset<32> column, left_diagonal;
bitset<64> right_diagonal;
long long solutions = 0;

void queen(int row) {
    if (row == n) {
        solutions++;
        return;
    }
    for (int c = 0; c < n; c++) {
        if (column[c] | left_diagonal[row + c] | right_diagonal[row - c + n]) continue;
        column[c] = left_diagonal[row + c] = right_diagonal[row - c + n] = 1;
        queen(row + 1);
        column[c] = left_diagonal[row + c] = right_diagonal[row - c + n] = 0;
    }
}

int main(int argc, char* argv[]) {
    n = stoi(argv[1]);
    queen(0);
    cout << solutions << endl;
}
