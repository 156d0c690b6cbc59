#include <bitset>
#include <cstdlib>
#include <iostream>
using namespace std;

int main(int argc, char **argv) {
    int m = atoi(argv[1]), n = atoi(argv[2]);
    int k = 0;
    for (int i = 0; i < 1 << m; i++) {
        for (int j = 0; j < 1 << n; j++) {
            int g = k ^ (k >> 1);
            k++;
            cout << bitset<8>(g).to_string().substr(8 - m - n) << (j + 1 == 1 << n ? "\n" : " ");
        }
    }
}
