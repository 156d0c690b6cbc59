// Asks for a program of 16 GiB on the disk.
// The disk must not get full; the largest file of a compiler is limited.
int numbers[1LL << 32] = {1};
int main(void) { return numbers[0]; }
