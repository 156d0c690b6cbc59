#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <vector>
using namespace std;

// queens on the diagonals, only those that are not empty
map<int, int> rising, falling;
vector<int> queen;

bool free_place(int row) { return !rising.count(row + queen[row]) && !falling.count(row - queen[row]); }

void put(int row) {
    rising[row + queen[row]]++;
    falling[row - queen[row]]++;
}

void lift(int row) {
    if (--rising[row + queen[row]] == 0) rising.erase(row + queen[row]);
    if (--falling[row - queen[row]] == 0) falling.erase(row - queen[row]);
}

bool attacked(int row) { return rising[row + queen[row]] > 1 || falling[row - queen[row]] > 1; }

bool solve(int n) {
    rising.clear();
    falling.clear();
    for (int i = 0; i < n; i++) queen[i] = i;
    int row = 0;
    for (int t = 0; t < 3 * n && row < n; t++) {
        swap(queen[row], queen[row + rand() % (n - row)]);
        if (free_place(row)) put(row++);
    }
    int first = row;
    while (row < n) put(row++);
    for (row = first; row < n; row++) {
        int tries = 0;
        while (attacked(row)) {
            if (++tries > 7000) return false;
            int other = rand() % n;
            if (other == row) continue;
            lift(row), lift(other);
            swap(queen[row], queen[other]);
            put(row), put(other);
            if (!attacked(row) && !attacked(other)) break;
            lift(row), lift(other);
            swap(queen[row], queen[other]);
            put(row), put(other);
        }
    }
    return true;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    srand(time(0));
    queen.resize(n);
    while (!solve(n)) {}
    for (int c : queen) printf("%d ", c + 1);
}
