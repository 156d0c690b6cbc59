#include <iostream>

#include "params.h"

int main() {
    long long a, b;
    return !(std::cin >> a >> b && a >= 0 && a <= MAX && b >= 0 && b <= MAX);
}
