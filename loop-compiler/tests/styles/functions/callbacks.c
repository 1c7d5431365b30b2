// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops that call through a function pointer, next to the same loops with the function known.
#include <stddef.h>
#include <stdlib.h>

typedef double (*map_fn)(double, void *);
struct visitor { int (*visit)(struct visitor *, size_t, double); double total; };

static double scale(double x, void *factor) { return x * *(const double *)factor; }

void map(double *x, size_t n, map_fn f, void *user)
{
    for (size_t i = 0; i < n; ++i) // truth: sequential
        x[i] = f(x[i], user);
}

void map_scale(double *x, size_t n, double factor)
{
    for (size_t i = 0; i < n; ++i) // truth: parallel
        x[i] = scale(x[i], &factor);
}

size_t walk(const double *x, size_t n, struct visitor *v)
{
    size_t i;
    for (i = 0; i < n; ++i) // truth: sequential
        if (v->visit(v, i, x[i]) != 0)
            break;
    return i;
}

double integrate(double (*f)(double), double a, double b, int n)
{
    const double h = (b - a) / n;
    double s = 0.5 * (f(a) + f(b));
    for (int i = 1; i < n; ++i) // truth: sequential
        s += f(a + i * h);
    return s * h;
}

static inline double cubic(double t) { return ((2.0 * t - 3.0) * t + 1.0) * t - 5.0; }

double integrate_cubic(double a, double b, int n)
{
    const double h = (b - a) / n;
    double s = 0.5 * (cubic(a) + cubic(b));
    for (int i = 1; i < n; ++i) // truth: parallel
        s += cubic(a + i * h);
    return s * h;
}

static int by_value(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The medians of the first rows, each sorted with the library; stops at the first that is negative. */
int row_medians(double *m, int rows, int cols, double *median)
{
    for (int r = 0; r < rows; ++r) { // truth: sequential
        qsort(m + (size_t)r * cols, (size_t)cols, sizeof *m, by_value);
        median[r] = m[(size_t)r * cols + cols / 2];
        if (median[r] < 0.0)
            return r;
    }
    return rows;
}
