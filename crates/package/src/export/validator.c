// Lets a program that ends with 0 if it accepts serve as an input validator.
#include <stdlib.h>
#include <unistd.h>

static void end(int status, void *unused) {
    (void)unused;
    _exit(status == 0 || status == 42 ? 42 : 43);
}

__attribute__((constructor)) static void as_input_validator(void) { on_exit(end, NULL); }
