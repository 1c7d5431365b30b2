// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Row and column scale factors of a matrix and their application, with the error codes of the first zero row.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define IDX(i, j) ((i) + (j) * ld)

static double pow2_near(double v)
{
    int e;
    frexp(v, &e);
    return ldexp(1.0, 1 - e);
}

int equilibrate(int m, int n, double *a, int ld, double *r, double *c, double *cond)
{
    double big = 0.0, small = DBL_MAX;

    for (int i = 0; i < m; i++) { // truth: parallel
        r[i] = 0.0;
        for (int j = 0; j < n; j++) // truth: parallel
            r[i] = fmax(r[i], fabs(a[IDX(i, j)]));
        if (r[i] > big) big = r[i];
        if (r[i] < small) small = r[i];
    }
    *cond = big > 0.0 ? small / big : 0.0;
    if (small == 0.0) {
        for (int i = 0; i < m; i++) // truth: parallel
            if (r[i] == 0.0)
                return i + 1;
    }
    for (int i = 0; i < m; i++) // truth: parallel
        r[i] = pow2_near(r[i]);
    for (int j = 0; j < n; j++) { // truth: parallel
        double top = 0.0;
        for (int i = 0; i < m; i++) // truth: parallel
            top = fmax(top, r[i] * fabs(a[IDX(i, j)]));
        c[j] = top > 0.0 ? pow2_near(top) : 1.0;
        for (int i = 0; i < m; i++) // truth: parallel
            a[IDX(i, j)] *= r[i] * c[j];
    }
    return 0;
}

/* Geometric column factors: each one is made relative to the one before it. */
void relative_factors(int n, double *c)
{
    for (int j = 1; j < n; j++) // truth: sequential
        c[j] = sqrt(c[j] * c[j - 1]);
}
