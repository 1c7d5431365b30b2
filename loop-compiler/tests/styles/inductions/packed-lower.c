// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Symmetric matrices in packed lower triangular storage, row by row.
#include <stddef.h>

void pack_lower(const double *full, int n, double *packed)
{
  size_t k = 0;
  for (int i = 0; i < n; i++) // truth: parallel
    for (int j = 0; j <= i; j++) // truth: parallel
      packed[k++] = full[(size_t)i * n + j];
}

void unpack_lower(const double *packed, int n, double *full)
{
  size_t k = 0;
  for (int i = 0; i < n; i++) { // truth: parallel
    for (int j = 0; j < i; j++) { // truth: parallel
      full[(size_t)i * n + j] = packed[k];
      full[(size_t)j * n + i] = packed[k];
      k++;
    }
    full[(size_t)i * n + i] = packed[k++];
  }
}

/* The diagonal: k runs over 0, 2, 5, 9, … */
void packed_diagonal(const double *packed, int n, double *diag)
{
  size_t k = 0;
  for (int i = 0; i < n; i++) { // truth: parallel
    diag[i] = packed[k];
    k += (size_t)i + 2;
  }
}

/* Solves L x = b in place; every row needs the results of the rows above. */
void solve_lower(const double *packed, int n, double *x)
{
  size_t k = 0;
  for (int i = 0; i < n; i++) { // truth: sequential
    double s = x[i];
    for (int j = 0; j < i; j++) // truth: parallel
      s -= packed[k++] * x[j];
    x[i] = s / packed[k++];
  }
}
