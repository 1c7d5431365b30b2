// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Interpolation: uniform table, search in a sorted table, Neville's scheme, natural cubic spline.
#include <math.h>
#include <stddef.h>

void interp_uniform(const double *t, int nt, double x0, double h, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        double u = (x[i] - x0) / h;
        int k = (int)floor(u);
        if (k < 0) k = 0;
        if (k > nt - 2) k = nt - 2;
        y[i] = t[k] + (u - k) * (t[k + 1] - t[k]);
    }
}

static int locate(const double *xs, int n, double x)
{
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) { // truth: sequential
        const int mid = lo + (hi - lo) / 2;
        if (xs[mid] > x) hi = mid; else lo = mid;
    }
    return lo;
}

/* The interval is first looked for where it was for the point before. */
void interp_hunt(const double *xs, const double *ys, int ns, const double *x, double *y, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        if (x[i] < xs[k])
            k = locate(xs, ns, x[i]);
        while (k < ns - 2 && x[i] >= xs[k + 1]) // truth: parallel
            k++;
        y[i] = ys[k] + (x[i] - xs[k]) * (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]);
    }
}

/* y2 are the second derivatives at the knots. */
void spline_eval(const double *xs, const double *ys, const double *y2, int ns, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        const int k = locate(xs, ns, x[i]);
        const double h = xs[k + 1] - xs[k], a = (xs[k + 1] - x[i]) / h, b = (x[i] - xs[k]) / h;
        y[i] = a * ys[k] + b * ys[k + 1] + ((a * a * a - a) * y2[k] + (b * b * b - b) * y2[k + 1]) * h * h / 6.0;
    }
}

double neville(const double *xs, double *p, int n, double x)
{
    for (int m = 1; m < n; m++) // truth: sequential
        for (int i = 0; i < n - m; i++) // truth: sequential
            p[i] = ((x - xs[i + m]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[i + m]);
    return p[0];
}
