// Has the compiler print a warning 2^26 times.
// What it says must be cut where it is kept, not only where it is shown.
#include "again.h"
int main(void) { return 0; }
