// Has the compiler quote a file that is not the student's.
// It must not come back in its messages.
#include "@HOST@/secret.txt"
int main(void) { return 0; }
