// Includes a header that includes itself twice at each of 26 levels.
// The compiler must be stopped when its time is over, with its helpers.
#include "again.h"
int main(void) { return 0; }
