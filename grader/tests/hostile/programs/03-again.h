// Includes itself twice, down to the deepest level that it counts to.
// 2^26 times in all, with nothing to show for it.
#if __INCLUDE_LEVEL__ < 26
#include "again.h"
#include "again.h"
#endif
