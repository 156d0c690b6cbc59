// Spins for ever.
// It must be stopped for its CPU time.
int main(void) {
    for (volatile int i = 0;; i++) {
    }
}
