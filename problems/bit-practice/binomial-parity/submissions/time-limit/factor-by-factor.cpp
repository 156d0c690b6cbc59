#include <cstdio>

long long twos(long long n) {
    long long count = 0;
    for (long long i = 2; i <= n; i += 2)
        for (long long j = i; j % 2 == 0; j /= 2) count++;
    return count;
}

int main() {
    long long n, k;
    while (scanf("%lld %lld", &n, &k) == 2)
        puts(twos(n) > twos(k) + twos(n - k) ? "even" : "odd");
    return 0;
}
