// Has the compiler read the terminal.
// There must be none, and nobody must have to type.
#include "/dev/tty"
int main(void) { return answer; }
