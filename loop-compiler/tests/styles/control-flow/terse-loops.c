// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Small matrix routines in a terse style, without braces.
#include <stddef.h>

typedef double real;

void matmul(real *c, const real *a, const real *b, int n) {
  for (int i = 0; i < n; i++) // truth: parallel
    for (int j = 0; j < n; j++) { // truth: parallel
      real s = 0;
      for (int k = 0; k < n; k++) s += a[i*n+k] * b[k*n+j]; // truth: parallel
      c[i*n+j] = s;
    }
}

/* lower half into upper half */
void symmetrize(real *m, int n) {
  for (int i = 0; i < n; i++) // truth: parallel
    for (int j = 0; j < i; j++) m[j*n+i] = m[i*n+j]; // truth: parallel
}

/* all shortest ways; d is n x n */
void shortest(real *d, int n) {
  for (int k = 0; k < n; k++) // truth: sequential
    for (int i = 0; i < n; i++) // truth: parallel
      if (i != k) for (int j = 0; j < n; j++) // truth: parallel
        if (d[i*n+k] + d[k*n+j] < d[i*n+j] && j != k) d[i*n+j] = d[i*n+k] + d[k*n+j];
}
