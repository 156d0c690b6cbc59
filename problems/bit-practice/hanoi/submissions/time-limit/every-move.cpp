#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

vector<int> where;
long long k;

void hanoi(int n, int from, int to, int other) {
    if (n == 0 || k == 0) return;
    hanoi(n - 1, from, other, to);
    if (k == 0) return;
    where[n] = to;
    k--;
    hanoi(n - 1, other, to, from);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    k = atoll(argv[2]);
    where.assign(n + 1, 1);
    hanoi(n, 1, 3, 2);
    for (int d = 1; d <= n; d++) cout << where[d] << ' ';
    cout << endl;
    return 0;
}
