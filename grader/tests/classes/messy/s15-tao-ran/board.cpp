#include <iostream>
using namespace std;

int main() {
    int q[8] = {0, 4, 7, 5, 2, 6, 1, 3};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) cout << (q[i] == j ? 'Q' : '#');
        cout << endl;
    }
}
