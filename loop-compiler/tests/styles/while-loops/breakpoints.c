// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Piecewise linear interpolation: finds the interval of each query by bisection.
#include <stddef.h>

typedef struct {
    const double *x; /* ascending */
    const double *y;
    size_t n;        /* at least 2 */
} curve;

static size_t interval(const curve *c, double at)
{
    size_t lo = 0, hi = c->n - 1;
    while (hi - lo > 1) { // truth: sequential
        size_t mid = lo + (hi - lo) / 2;
        if (c->x[mid] <= at)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

int curve_valid(const curve *c)
{
    size_t i = 1;
    if (c->n < 2)
        return 0;
    while (i < c->n) { // truth: parallel
        if (c->x[i] <= c->x[i - 1])
            return 0;
        i++;
    }
    return 1;
}

void curve_eval(const curve *c, const double *at, double *out, size_t count)
{
    size_t q = 0;
    if (!curve_valid(c))
        return;
    while (q < count) { // truth: parallel
        size_t k = interval(c, at[q]);
        double f = (at[q] - c->x[k]) / (c->x[k + 1] - c->x[k]);
        out[q++] = c->y[k] + f * (c->y[k + 1] - c->y[k]);
    }
}

/* For ascending queries: the interval only ever moves to the right. */
void curve_eval_sorted(const curve *c, const double *at, double *out, size_t count)
{
    size_t q = 0, k = 0;
    if (!curve_valid(c))
        return;
    while (q < count) { // truth: sequential
        while (k + 2 < c->n && c->x[k + 1] <= at[q]) // truth: parallel
            k++;
        double f = (at[q] - c->x[k]) / (c->x[k + 1] - c->x[k]);
        out[q++] = c->y[k] + f * (c->y[k + 1] - c->y[k]);
    }
}
