#include <cstdio>
#include <cstdlib>

#include "numbers.h"

int main(int, char *arguments[]) {
    long long seed = std::atoll(arguments[1]);
    std::printf("%lld %lld\n", number(seed), number(seed + 1000));
}
