// input: 3
// answer: 7
#include <iostream>
using namespace std;

int main() {
    int x;
    cin >> x;
    int y = x++ + ++x; // undefined: `x` is changed and used in the same expression
    cout << y << endl;
}
