// input: 3 5 7 9
// answer: no
#include <stdio.h>

int found(int wanted, int n) {
    int flag, value;
    for (int i = 0; i < n; i++) {
        scanf("%d", &value);
        if (value == wanted)
            flag = 1;
    }
    if (flag == 1) // undefined: `flag` is used before it has a value
        return 1;
    return 0;
}

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%s", found(4, n) ? "yes" : "no found");
    return 0;
}
