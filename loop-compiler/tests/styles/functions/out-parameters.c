// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Helpers with several results through pointers: quadratic roots, line fits, polar form, status codes.
#include <math.h>
#include <stdbool.h>

static bool roots(double a, double b, double c, double *lo, double *hi)
{
    const double d = b * b - 4.0 * a * c;
    if (d < 0.0 || a == 0.0)
        return false;
    const double q = -0.5 * (b + copysign(sqrt(d), b));
    const double u = q / a, v = q != 0.0 ? c / q : 0.0;
    *lo = fmin(u, v);
    *hi = fmax(u, v);
    return true;
}

static void fit(const double *x, const double *y, int n, double *slope, double *offset)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
    }
    const double det = n * sxx - sx * sx;
    *slope = det != 0.0 ? (n * sxy - sx * sy) / det : 0.0;
    *offset = (sy - *slope * sx) / n;
}

int roots_all(const double *a, const double *b, const double *c, double *lo, double *hi, int n)
{
    int without = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        double u, v;
        if (roots(a[i], b[i], c[i], &u, &v)) {
            lo[i] = u;
            hi[i] = v;
        } else {
            lo[i] = hi[i] = NAN;
            without++;
        }
    }
    return without;
}

/* If there are no roots the values of the equation before stay in u and v. */
void roots_keep(const double *a, const double *b, const double *c, double *gap, int n)
{
    double u = 0.0, v = 0.0;
    for (int i = 0; i < n; i++) { // truth: sequential
        roots(a[i], b[i], c[i], &u, &v);
        gap[i] = v - u;
    }
}

void fit_windows(const double *x, const double *y, int n, int len, double *slope)
{
    if (len < 2)
        return;
    for (int i = 0; i + len <= n; i++) { // truth: parallel
        double offset;
        fit(x + i, y + i, len, &slope[i], &offset);
    }
}
