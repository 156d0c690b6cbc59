// input: 3 5 6 7
// answer: 18
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> v(n);
    for (int i = 0; i < n; i++)
        cin >> v[i];
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += v[i]; // undefined: something is used that is not there
    cout << sum << endl;
}
