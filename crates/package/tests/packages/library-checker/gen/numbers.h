#include "../params.h"

inline long long number(long long seed) { return 1 + seed * 7919 % (MAX - 1); }
