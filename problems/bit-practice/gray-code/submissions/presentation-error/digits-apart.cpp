#include <iostream>
#include <vector>
using namespace std;

int main(int argc, char *argv[]) {
    int n = stoi(argv[1]);
    vector<int> code(n, 0);
    for (int step = 1; step <= (1 << n); step++) {
        for (int digit : code) cout << digit << ' ';
        cout << endl;
        if (step == (1 << n)) break;
        int place = 0;
        while ((step >> place & 1) == 0) place++;
        code[n - 1 - place] ^= 1;
    }
}
