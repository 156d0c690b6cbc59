#include "testlib.h"
