// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Operations on every step-th element of an array, the step being a parameter.
#include <stddef.h>

typedef ptrdiff_t idx;

int strided_scale(double *x, idx n, idx step, double f)
{
    if (step <= 0)
        return -1;
    for (idx i = 0; i < n; i += step) // truth: parallel
        x[i] *= f;
    return 0;
}

/* y += f * x with a step for each; negative steps start at the end. */
int strided_axpy(idx n, double f, const double *x, idx incx, double *y, idx incy)
{
    if (incx == 0 || incy == 0)
        return -1;
    idx ix = incx < 0 ? (1 - n) * incx : 0;
    idx iy = incy < 0 ? (1 - n) * incy : 0;
    for (idx i = 0; i < n; i++) { // truth: parallel
        y[iy] += f * x[ix];
        ix += incx;
        iy += incy;
    }
    return 0;
}

double strided_dot(idx n, const double *x, idx incx, const double *y, idx incy)
{
    double s = 0.0;
    for (idx i = 0, ix = 0, iy = 0; i < n; i++, ix += incx, iy += incy) // truth: parallel
        s += x[ix] * y[iy];
    return s;
}

/* Comb filter with feedback to the previous tooth; clips. */
void strided_comb(double *x, idx n, idx step)
{
    if (step <= 0)
        return;
    for (idx i = step; i < n; i += step) { // truth: sequential
        double v = x[i] + 0.5 * x[i - step];
        x[i] = v > 1.0 ? 1.0 : v;
    }
}

/* Each of the interleaved sequences is independent of the others. */
void strided_comb_all(double *x, idx n, idx step)
{
    if (step <= 0)
        return;
    for (idx first = 0; first < step; first++) // truth: parallel
        for (idx i = first + step; i < n; i += step) { // truth: sequential
            double v = x[i] + 0.5 * x[i - step];
            x[i] = v > 1.0 ? 1.0 : v;
        }
}
