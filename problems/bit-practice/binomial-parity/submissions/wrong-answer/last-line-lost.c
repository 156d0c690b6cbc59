#include <stdio.h>
#include <string.h>

int main()
{
    char line[100];
    long long n, k;
    while (fgets(line, sizeof line, stdin) && strchr(line, '\n'))
        if (sscanf(line, "%lld%lld", &n, &k) == 2)
            puts((n & k) == k ? "odd" : "even");
    return 0;
}
