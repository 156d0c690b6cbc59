// Included before a student's C or C++ source: what its local variables begin with. Each step of the program fills the
// unused stack, where the variables of the next function will be.
#ifdef __cplusplus
extern "C" {
#endif
// No header: a program may declare names of its own.
char *grader_getenv(const char *) __asm__("getenv");
static unsigned grader_words[1 << 18];
__attribute__((no_sanitize_coverage, noinline)) static void grader_fill_large(void) {
    unsigned unused[1 << 18];
    __builtin_memcpy(unused, grader_words, sizeof unused);
    __asm__ volatile("" : : "r"(unused) : "memory");
}
__attribute__((no_sanitize_coverage, constructor)) static void grader_fill_first(void) {
    const char *kind = grader_getenv("GRADER_FILL");
    for (unsigned at = 0; kind && at < 1 << 18; at++)
        // Small numbers that differ, or all the same.
        grader_words[at] = *kind == '2' ? at * 7 % 31 + 2 : *kind - '0';
    grader_fill_large();
}
__attribute__((no_sanitize_coverage, weak)) void __sanitizer_cov_trace_pc(void) {
    unsigned unused[1 << 8];
    __builtin_memcpy(unused, grader_words, sizeof unused);
    __asm__ volatile("" : : "r"(unused) : "memory");
}
#ifdef __cplusplus
}
#endif
