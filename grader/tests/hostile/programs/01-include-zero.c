// Has the compiler read a device without end.
// It must be stopped by its time or its memory, and the reason said.
#include "/dev/zero"
int main(void) { return 0; }
