// Has the compiler quote files that are not the student's.
// Their text must not come back in its messages.
#include "/etc/shadow"
#include "@HOST@/secret.txt"
int main(void) { return 0; }
