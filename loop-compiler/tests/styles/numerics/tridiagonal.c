// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Tridiagonal systems: elimination and back substitution, many systems at once, product, cyclic reduction step.
#include <stdbool.h>
#include <stddef.h>

/* a below, b on, c above the diagonal; c and d are overwritten. */
static bool thomas(const double *a, const double *b, double *c, double *d, int n, int stride)
{
    if (b[0] == 0.0)
        return false;
    c[0] /= b[0];
    d[0] /= b[0];
    for (int i = 1; i < n; i++) { // truth: sequential
        const double m = b[i] - a[i] * c[(i - 1) * stride];
        c[i * stride] /= m;
        d[i * stride] = (d[i * stride] - a[i] * d[(i - 1) * stride]) / m;
    }
    for (int i = n - 2; i >= 0; i--) // truth: scan
        d[i * stride] -= c[i * stride] * d[(i + 1) * stride];
    return true;
}

/* The unknowns of a system are `systems` elements apart. */
int thomas_many(const double *a, const double *b, double *c, double *d, int n, int systems)
{
    int failed = 0;
    for (int s = 0; s < systems; s++) // truth: parallel
        if (!thomas(a, b, c + s, d + s, n, systems))
            failed++;
    return failed;
}

void tridiagonal_apply(const double *a, const double *b, const double *c, const double *x, double *y, int n)
{
    if (n < 2)
        return;
    y[0] = b[0] * x[0] + c[0] * x[1];
    for (int i = 1; i < n - 1; i++) // truth: parallel
        y[i] = a[i] * x[i - 1] + b[i] * x[i] + c[i] * x[i + 1];
    y[n - 1] = a[n - 1] * x[n - 2] + b[n - 1] * x[n - 1];
}

/* One step of cyclic reduction: the odd rows take up their even neighbours. */
void reduce_step(double *a, double *b, double *c, double *d, int n, int h)
{
    for (int i = 2 * h - 1; i < n; i += 2 * h) { // truth: parallel
        const int l = i - h, r = i + h;
        const double p = a[i] / b[l], q = r < n ? c[i] / b[r] : 0.0;
        b[i] -= p * c[l] + (r < n ? q * a[r] : 0.0);
        d[i] -= p * d[l] + (r < n ? q * d[r] : 0.0);
        a[i] = -p * a[l];
        c[i] = r < n ? -q * c[r] : 0.0;
    }
}

void reduce_all(double *a, double *b, double *c, double *d, int n)
{
    for (int h = 1; h < n; h *= 2) // truth: sequential
        reduce_step(a, b, c, d, n, h);
}
