// Is compiled by the test and submitted as an object file.
// See `13-smuggled-object.c`.
int answer(void) {
    return 42;
}
