// -DOTHER=3: none
// -DROW=50: none
// -DFIXED=7000: none
// -DHALF=500000: none
// -DROW=51: ROW
// -DHALF=7: HALF
// -DHALF=500000L: HALF
// -DUSE_FLOAT: USE_FLOAT
// -DUNROLL: UNROLL
// -DCLAMPED: CLAMP
// -DDEEP=3: DEEP
// -DSIZED: SIZED
// -DSQUARE(x)=(x): SQUARE
// Loops are made for the macros with which they are read; others are an error of the compiler. What a file defines in any
// case, and what only other functions use, does not matter.
#include <limits.h>
#include "macros.h"
#ifndef HALF
#define HALF 500000
#endif
#define WHOLE (2 * HALF)
#ifndef SQUARE
#define SQUARE(x) ((x) * (x))
#endif
#ifdef OTHER
int others = OTHER;
#endif
double a[WHOLE];
real b[100];
int c[FIXED];
#ifdef SIZED
struct S { int x; long d[5000]; } s;
#else
struct S { int x; int d[5000]; } s;
#endif
void bound_and_function(void) {
#pragma scop
  for (int i = 0; i < WHOLE; i++)
    a[i] = CLAMP(a[i]) + 1;
#pragma endscop
}
void type(int n) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] += 1;
#pragma endscop
}
void fixed(void) {
#pragma scop
  for (int i = 0; i < FIXED; i++) c[i] = INT_MAX - i;
#pragma endscop
}
void in_expansions_and_conditions(int n, double *x) {
#pragma scop
  for (int i = 0; i < n; i++) {
    x[AT(i, 2)] = 1;
#ifdef UNROLL
    x[AT(i, 3)] = 1;
#endif
  }
#pragma endscop
}
void enumerator(int *x) {
#pragma scop
  for (int i = 0; i < LIMIT; i++) x[i] += 1;
#pragma endscop
}
void member(int n) {
#pragma scop
  for (int i = 0; i < n; i++) s.d[i] += 1;
#pragma endscop
}
void local(int n, int *x) {
  int row[3] = {SQUARE(2), 1, 0};
#pragma scop
  for (int i = 0; i < n; i++) x[i] += row[1];
#pragma endscop
}
