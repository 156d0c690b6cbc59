#include <iostream>
using namespace std;

int main() {
    long long n, k;
    while (!cin.eof()) {
        cin >> n >> k;
        if ((n & k) == k)
            cout << "odd" << endl;
        else
            cout << "even" << endl;
    }
    return 0;
}
