// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rank-one updates: of a general matrix (ger) and of a symmetric matrix in packed storage (spr).
#include <stddef.h>

void ger_update(ptrdiff_t m, ptrdiff_t n, double alpha, const double *x, ptrdiff_t incx,
                const double *y, ptrdiff_t incy, double *a, ptrdiff_t lda)
{
    if (m <= 0 || n <= 0 || alpha == 0.0) return;

    for (ptrdiff_t j = 0; j < n; j++) // truth: parallel
    {
        if (*y != 0.0)
        {
            const double t = alpha * *y;
            const double *px = x;
            double *col = a + j * lda;
            for (ptrdiff_t i = 0; i < m; i++) // truth: parallel
            {
                col[i] += t * *px;
                px += incx;
            }
        }
        y += incy;
    }
}

/* Upper triangle, packed by columns. */
void spr_update(size_t n, double alpha, const double *x, double *ap)
{
    size_t kk = 0;

    for (size_t j = 0; j < n; j++) // truth: parallel
    {
        if (x[j] != 0.0)
        {
            double t = alpha * x[j];
            size_t k = kk;
            for (size_t i = 0; i <= j; i++) // truth: parallel
            {
                ap[k] += x[i] * t;
                k++;
            }
        }
        kk += j + 1;
    }
}

/* Running sum of the diagonal of the packed matrix. */
void spr_diagonal_sums(size_t n, const double *ap, double *d)
{
    double run = 0.0;
    size_t k = 0;
    for (size_t j = 0; j < n; j++) // truth: scan
    {
        run += ap[k];
        d[j] = run;
        k += j + 2;
    }
}
