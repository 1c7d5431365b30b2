// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Vector kernels unrolled by four, with loops for the remainder.
#include <stddef.h>

double dot4(const double *a, const double *b, size_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;

    for (; i + 4 <= n; i += 4) { // truth: parallel
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    double s = (s0 + s1) + (s2 + s3);
    for (; i < n; i++) // truth: parallel
        s += a[i] * b[i];
    return s;
}

void axpy4(double *y, const double *x, double f, int n)
{
    int rest = n % 4;
    int i;

    for (i = 0; i < rest; i++) // truth: parallel
        y[i] += f * x[i];
    for (; i < n; i += 4) { // truth: parallel
        y[i] += f * x[i];
        y[i + 1] += f * x[i + 1];
        y[i + 2] += f * x[i + 2];
        y[i + 3] += f * x[i + 3];
    }
}

/* Unrolled by two: the second half of the body reads the store of the first. */
void smooth2(double *y, int n)
{
    int i = 1;
    for (; i + 1 < n; i += 2) { // truth: sequential
        y[i] = y[i] > y[i - 1] ? y[i] : 0.5 * (y[i] + y[i - 1]);
        y[i + 1] = y[i + 1] > y[i] ? y[i + 1] : 0.5 * (y[i + 1] + y[i]);
    }
    if (i < n)
        y[i] = y[i] > y[i - 1] ? y[i] : 0.5 * (y[i] + y[i - 1]);
}

/* Pairs within a block of two: nothing passes from block to block. */
void order_pairs(double *y, int n)
{
    for (int i = 0; i + 1 < n; i += 2) { // truth: parallel
        if (y[i] > y[i + 1]) {
            double t = y[i];
            y[i] = y[i + 1];
            y[i + 1] = t;
        }
    }
}
