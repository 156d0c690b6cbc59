#include <cstdio>

#include "params.h"

int main() {
    long long a, b;
    return !(std::scanf("%lld%lld", &a, &b) == 2 && a >= 0 && a <= MAX && b >= 0 && b <= MAX);
}
