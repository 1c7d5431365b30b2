// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Vector kernels with increments in the old unrolled style: dot, axpy, scal, rot, index of the maximum.
#include <math.h>

double vdot(int n, const double *x, int incx, const double *y, int incy)
{
    double t = 0.0;
    int i, m, ix = incx < 0 ? (1 - n) * incx : 0, iy = incy < 0 ? (1 - n) * incy : 0;

    if (n <= 0) return 0.0;
    if (incx == 1 && incy == 1) {
        m = n % 4;
        for (i = 0; i < m; i++) // truth: parallel
            t += x[i] * y[i];
        for (i = m; i < n; i += 4) // truth: parallel
            t += x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] + x[i + 3] * y[i + 3];
        return t;
    }
    for (i = 0; i < n; i++, ix += incx, iy += incy) // truth: parallel
        t += x[ix] * y[iy];
    return t;
}

void vscal(int n, double a, double *x, int incx)
{
    int i, nincx = n * incx;
    if (n <= 0 || incx <= 0) return;
    for (i = 0; i < nincx; i += incx) // truth: parallel
        x[i] = a * x[i];
}

void vaxpy(int n, double a, const double *x, int incx, double *y, int incy)
{
    if (n <= 0 || a == 0.0) return;
    while (n-- > 0) { // truth: parallel
        *y += a * *x;
        x += incx;
        y += incy;
    }
}

void vrot(int n, double *x, int incx, double *y, int incy, double c, double s)
{
    int i, ix = 0, iy = 0;
    for (i = 0; i < n; i++) { // truth: parallel
        double w = c * x[ix] + s * y[iy];
        y[iy] = c * y[iy] - s * x[ix];
        x[ix] = w;
        ix += incx;
        iy += incy;
    }
}

int viamax(int n, const double *x, int incx)
{
    int i, ix = incx, best = 0;
    double m = n > 0 ? fabs(x[0]) : 0.0;
    for (i = 1; i < n; i++, ix += incx) // truth: parallel
        if (fabs(x[ix]) > m) {
            m = fabs(x[ix]);
            best = i;
        }
    return n > 0 ? best : -1;
}
