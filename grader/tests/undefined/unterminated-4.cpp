// input: ab1cdef x1y
// answer: abcdef xy
#include <cstring>
#include <iostream>
using namespace std;

void print_letters(const char *text) {
    char letters[64];
    int count = 0;
    for (int i = 0; text[i]; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            letters[count++] = text[i];
    cout << letters << endl; // undefined: `letters` (declared in line 8) is read past its end
}

int main() {
    char text[64];
    while (cin >> text)
        print_letters(text);
}
