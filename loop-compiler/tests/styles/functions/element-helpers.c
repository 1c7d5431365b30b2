// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Element-wise maps through small helpers with pointers, and the same helper applied to a shared accumulator.
#include <math.h>
#include <stddef.h>

static inline void clamp_to(double *v, double lo, double hi)
{
    if (*v < lo)
        *v = lo;
    else if (*v > hi)
        *v = hi;
}

static inline double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

static void update(double *w, const double *g, double *m, double rate)
{
    *m = 0.9 * *m + 0.1 * *g;
    *w -= rate * *m;
}

static inline void add_to(double *acc, double v) { *acc += v; }

void clamp_all(double *x, size_t n, double lo, double hi)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        clamp_to(&x[i], lo, hi);
}

double train_step(double *w, const double *g, double *m, size_t n, double rate)
{
    double norm = 0.0;
    for (size_t i = 0; i < n; i++) { // truth: parallel
        update(w + i, g + i, m + i, rate);
        add_to(&norm, w[i] * w[i]);
    }
    return sqrt(norm);
}

void predict(const double *x, double *p, size_t n, double bias)
{
    double *q = p;
    while (q < p + n) // truth: parallel
        *q++ = logistic(*x++ + bias);
}

/* All elements of g go into one weight: the momentum is carried from element to element. */
void train_online(double *w, const double *g, double *m, size_t n, double rate)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        update(w, &g[i], m, rate);
        clamp_to(w, -1.0, 1.0);
    }
}
