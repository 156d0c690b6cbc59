// Has the compiler quote the system's list of users and of their passwords.
// Neither may come back in its messages.
#if __has_include("/etc/shadow")
#include "/etc/shadow"
#endif
#include "/etc/passwd"
int main(void) { return 0; }
