// input: 20 5 1 2 3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
// answer: 5
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n, x;
    vector<int> v;
    cin >> n >> x;
    v.push_back(x);
    int *first = &v[0];
    for (int i = 1; i < n; i++) {
        cin >> x;
        v.push_back(x);
    }
    cout << *first << endl; // undefined: memory is used after line 15 has freed it: the pointer is dangling
}
