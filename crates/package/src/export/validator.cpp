// Lets a validator of testlib, which ends with 0 if it accepts, serve as an input validator.
#include <cstdlib>
#include <unistd.h>

static void end(int status, void *) { _exit(status == 0 || status == 42 ? 42 : 43); }

__attribute__((constructor)) static void as_input_validator() { on_exit(end, nullptr); }
