#ifndef QUEENS_H
#define QUEENS_H

/* Fills column[0..n-1] with a solution; returns 0 when there is none. */
int solve(int n, int column[]);

#endif
