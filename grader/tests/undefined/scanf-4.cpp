// input: 200 100
// answer: 300
#include <cstdio>

int main() {
    char a, b;
    std::scanf("%d %d", &a, &b); // undefined: `%d` is the wrong format for the type `char *`
    std::printf("%d\n", a + b);
}
