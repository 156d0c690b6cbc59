#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>
using namespace std;

int n;
string code;
unordered_set<string> seen;

bool walk() {
    puts(code.c_str());
    seen.insert(code);
    if (seen.size() == 1u << n) return true;
    for (int i = 0; i < n; i++) {
        code[i] ^= 1;
        if (!seen.count(code)) return walk();
        code[i] ^= 1;
    }
    return false;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    code = string(n, '0');
    walk();
    return 0;
}
