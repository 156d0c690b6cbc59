// Reads an input that is larger than its memory, a piece at a time.
// The pages of the file are not its memory.
#include <stdio.h>
#include <unistd.h>
static char block[1 << 16];
int main(void) {
    long sum = 0, count;
    while ((count = read(0, block, sizeof block)) > 0) {
        for (long i = 0; i < count; i += 512) sum += block[i] == 'a';
    }
    puts(sum == (96 << 20) / 512 ? "42" : "0");
    return 0;
}
