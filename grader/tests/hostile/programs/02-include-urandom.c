// Has the compiler read a device without end that is no text.
// It must be stopped, or find nothing there.
#include "/dev/urandom"
int main(void) { return 0; }
