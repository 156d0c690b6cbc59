// Spins in four threads.
// Their CPU time counts together.
#include <pthread.h>
#include <stddef.h>
static void *spin(void *nothing) {
    for (volatile int i = 0;; i++) {
    }
    return nothing;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++) pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
}
