// Has the compiler read its standard input.
// It must find it empty, not wait for somebody who types.
#include "/dev/stdin"
int main(void) { return answer; }
