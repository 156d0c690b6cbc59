// Warns, and includes itself twice.
// Makes megabytes of messages a second.
#warning again and again and again and again and again and again and again and again
#if __INCLUDE_LEVEL__ < 26
#include "again.h"
#include "again.h"
#endif
