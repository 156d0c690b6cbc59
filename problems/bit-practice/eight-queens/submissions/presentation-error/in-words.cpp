#include <cstdlib>
#include <iostream>
using namespace std;

int a[10], ans;

bool check(int k) {
    for (int i = 1; i < k; i++)
        if (a[i] == a[k] || abs(a[i] - a[k]) == k - i) return false;
    return true;
}

void dfs(int k) {
    if (k > 8) { ans++; return; }
    for (a[k] = 1; a[k] <= 8; a[k]++)
        if (check(k)) dfs(k + 1);
}

int main() {
    dfs(1);
    cout << "Solutions = " << ans << endl;
    return 0;
}
