// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// x = U * x in place by rows and by columns, and the same product into another vector.
#include <stddef.h>

#define U(i, j) u[(i) * ld + (j)]

void trmv_rows(size_t n, const double *u, size_t ld, double *x)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        double s = U(i, i) * x[i];
        for (size_t j = i + 1; j < n; j++) // truth: parallel
            s += U(i, j) * x[j];
        x[i] = s;
    }
}

void trmv_columns(size_t n, const double *u, size_t ld, double *x)
{
    for (size_t j = 0; j < n; j++) { // truth: sequential
        const double t = x[j];
        if (t != 0.0) {
            for (size_t i = 0; i < j; i++) // truth: parallel
                x[i] += t * U(i, j);
            x[j] = t * U(j, j);
        }
    }
}

void trmv_copy(size_t n, const double *u, size_t ld, const double *restrict x, double *restrict y)
{
    size_t i = 0;
    while (i < n) { // truth: parallel
        double s = 0.0;
        size_t j = i;
        do { // truth: parallel
            s += U(i, j) * x[j];
        } while (++j < n);
        y[i++] = s;
    }
}

/* Back substitution: U * x = b, b overwritten. */
int trsv_rows(ptrdiff_t n, const double *u, ptrdiff_t ld, double *b)
{
    for (ptrdiff_t i = n - 1; i >= 0; i--) { // truth: sequential
        if (U(i, i) == 0.0)
            return -1;
        for (ptrdiff_t j = i + 1; j < n; j++) // truth: parallel
            b[i] -= U(i, j) * b[j];
        b[i] /= U(i, i);
    }
    return 0;
}
