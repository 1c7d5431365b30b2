// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// y = alpha * A * x + beta * y, column-major with a leading dimension.
#include <stddef.h>

#define A(i, j) a[(i) + (j) * (ptrdiff_t)lda]

int gemv_n(int m, int n, double alpha, const double *a, int lda,
           const double *x, int incx, double beta, double *y, int incy)
{
    int i, j, iy, jx;

    if (m < 0)
        return -1;
    if (n < 0)
        return -2;
    if (lda < (m > 1 ? m : 1))
        return -5;
    if (incx == 0 || incy == 0)
        return -7;
    if (m == 0 || n == 0 || (alpha == 0.0 && beta == 1.0))
        return 0;

    const int kx = incx > 0 ? 0 : (1 - n) * incx;
    const int ky = incy > 0 ? 0 : (1 - m) * incy;

    if (beta == 0.0) {
        iy = ky;
        for (i = 0; i < m; i++) { // truth: parallel
            y[iy] = 0.0;
            iy += incy;
        }
    } else if (beta != 1.0) {
        iy = ky;
        for (i = 0; i < m; i++) { // truth: parallel
            y[iy] = beta * y[iy];
            iy += incy;
        }
    }
    if (alpha == 0.0)
        return 0;

    jx = kx;
    for (j = 0; j < n; j++) { // truth: parallel
        const double temp = alpha * x[jx];
        iy = ky;
        for (i = 0; i < m; i++) { // truth: parallel
            y[iy] += temp * A(i, j);
            iy += incy;
        }
        jx += incx;
    }
    return 0;
}
