// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Dominant eigenvalue of a dense matrix by the power method.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void multiply(const double *m, const double *x, double *y, int n)
{
    int row = 0;
    while (row < n) { // truth: parallel
        const double *r = m + (size_t)row * n;
        double s = 0.0;
        int k = 0;
        while (k < n) { // truth: parallel
            s += r[k] * x[k];
            k++;
        }
        y[row++] = s;
    }
}

static double length(const double *x, int n)
{
    double s = 0.0;
    while (n-- > 0) { // truth: parallel
        s += x[n] * x[n];
    }
    return sqrt(s);
}

double dominant(const double *m, double *x, int n, double eps)
{
    double lambda = 0.0, before;
    int rounds = 0;
    double *y = calloc((size_t)n, sizeof *y);

    if (y == NULL)
        return NAN;
    do { // truth: sequential
        before = lambda;
        multiply(m, x, y, n);
        lambda = length(y, n);
        if (lambda == 0.0)
            break;
        int i = 0;
        while (i < n) { // truth: parallel
            x[i] = y[i] / lambda;
            i++;
        }
    } while (fabs(lambda - before) > eps && ++rounds < 1000);
    free(y);
    return lambda;
}
