// Not testlib: the checker is one that the grader has.
