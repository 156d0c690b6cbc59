// input: 3 -5 -2 -9
// answer: -2
#include <iostream>
using namespace std;

int main() {
    int n, max;
    cin >> n;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        if (x > max) // undefined: `max` is used before it has a value
            max = x;
    }
    cout << max << endl;
}
