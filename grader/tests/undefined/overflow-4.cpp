// input: -2147483648
// answer: 2147483648
#include <iostream>
#include <cstdlib>
using namespace std;

int distance_from_zero(int x) {
    if (x < 0)
        return -x; // undefined: integer overflow
    return x;
}

int main() {
    int x;
    cin >> x;
    cout << distance_from_zero(x) << endl;
}
