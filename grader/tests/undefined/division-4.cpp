// input: 10 4
// answer: 2.5
#include <iostream>
using namespace std;

int main() {
    int a, b;
    cin >> a >> b;
    double part = b / a;
    cout << a / int(part) << endl; // undefined: division by zero
}
