// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Symmetric and triangular matrices in packed storage: product, solve, unpack, scaling of the diagonal.
#include <math.h>
#include <stddef.h>

#define PACKED(i, j) ((size_t)(i) * ((size_t)(i) + 1) / 2 + (size_t)(j)) /* j <= i */

void packed_symv(int n, const double *ap, const double *x, double *y)
{
    for (int i = 0; i < n; i++) // truth: parallel
        y[i] = 0.0;
    for (int i = 0; i < n; i++) { // truth: parallel
        const double *row = ap + PACKED(i, 0);
        double s = 0.0;
        for (int j = 0; j < i; j++) { // truth: parallel
            s += row[j] * x[j];
            y[j] += row[j] * x[i];
        }
        y[i] += s + row[i] * x[i];
    }
}

/* L * x = b, b overwritten. Returns the row of a zero on the diagonal, or -1. */
int packed_solve(int n, const double *lp, double *b)
{
    const double *p = lp;
    for (int i = 0; i < n; i++) { // truth: sequential
        double s = b[i];
        for (int j = 0; j < i; j++) // truth: parallel
            s -= *p++ * b[j];
        if (*p == 0.0)
            return i;
        b[i] = s / *p++;
    }
    return -1;
}

void packed_expand(int n, const double *ap, double *a, int lda)
{
    size_t k = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        for (int j = 0; j <= i; j++, k++) { // truth: parallel
            a[(size_t)i * lda + j] = ap[k];
            a[(size_t)j * lda + i] = ap[k];
        }
}

void packed_scale_diagonal(int n, double *ap, double s)
{
    int i = 0;
    size_t k = 0;
    while (i < n) { // truth: parallel
        ap[k] *= s;
        i++;
        k += (size_t)i + 1;
    }
}
