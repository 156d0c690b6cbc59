// input: 5 3 1 4 1 5
// answer: 1 1 3 4 5
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> v(n);
    for (auto &x : v)
        cin >> x;
    sort(v.begin(), v.end());
    map<string, int> counts;
    for (int x : v)
        counts[to_string(x)]++;
    for (int i = 0; i < n; i++)
        cout << v[i] << " \n"[i == n - 1];
}
