#ifdef SIGNATURE_GRADER
int twice(int n) { return 2 * n; }
#endif
