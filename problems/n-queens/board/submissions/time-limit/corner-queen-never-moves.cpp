// Starts again for ever when no solution has a queen in the corner (n = 4 and n = 6).
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    vector<int> queen(n, -1);
    queen[0] = 0;
    int row = 1;
    while (row < n) {
        queen[row]++;
        if (queen[row] == n) {
            queen[row] = -1;
            if (row > 1) row--;
            continue;
        }
        bool ok = true;
        for (int i = 0; i < row; i++)
            if (queen[i] == queen[row] || abs(queen[i] - queen[row]) == row - i) ok = false;
        if (ok) row++;
    }
    for (int q : queen) {
        string line(n, '#');
        line[q] = 'Q';
        cout << line << '\n';
    }
}
