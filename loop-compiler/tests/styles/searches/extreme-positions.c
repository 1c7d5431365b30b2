// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Positions of minima and maxima in signals and matrices.
#include <float.h>
#include <math.h>
#include <stddef.h>

/* First position of the smallest value. */
size_t arg_min(const double *v, size_t n)
{
  size_t at = 0;
  for (size_t i = 1; i < n; i++) // truth: parallel
    if (v[i] < v[at])
      at = i;
  return at;
}

/* Last position of the greatest absolute value. */
long arg_max_abs(const double *v, long n, double *value)
{
  double top = -1.0;
  long at = -1;
  for (long i = 0; i < n; i++) { // truth: parallel
    const double a = fabs(v[i]);
    if (a >= top) {
      top = a;
      at = i;
    }
  }
  *value = top;
  return at;
}

/* Pivot for elimination: largest element in the rest of the matrix. */
void find_pivot(const double *m, int n, int from, int *row, int *col)
{
  double top = -DBL_MAX;
  *row = *col = from;
  for (int i = from; i < n; i++) { // truth: parallel
    for (int j = from; j < n; j++) { // truth: parallel
      const double a = fabs(m[(size_t)i * n + j]);
      if (a > top) {
        top = a;
        *row = i;
        *col = j;
      }
    }
  }
}

/* New records: values that exceed the last record by a margin. */
int records(const double *v, int n, double margin, int *where)
{
  int count = 0;
  double top = -DBL_MAX;
  for (int i = 0; i < n; i++) // truth: sequential
    if (v[i] > top + margin) {
      top = v[i];
      where[count++] = i;
    }
  return count;
}
