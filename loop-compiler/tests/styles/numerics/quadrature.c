// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Quadrature: Gauss points per panel, cumulative trapezoid, Romberg table, Monte Carlo with and without state.
#include <math.h>
#include <stdint.h>

static const double node[3] = { -0.7745966692414834, 0.0, 0.7745966692414834 };
static const double weight[3] = { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 };

static inline double g(double x) { return sqrt(1.0 + x * x) * sin(4.0 * x); }

double gauss_panels(double a, double b, long panels)
{
    const double h = 0.5 * (b - a) / panels;
    double sum = 0.0;
    for (long p = 0; p < panels; p++) { // truth: parallel
        const double mid = a + (2 * p + 1) * h;
        for (int k = 0; k < 3; k++) // truth: parallel
            sum += weight[k] * g(mid + h * node[k]);
    }
    return sum * h;
}

void trapezoid_cumulative(const double *x, const double *y, double *area, long n)
{
    if (n < 1)
        return;
    area[0] = 0.0;
    for (long i = 1; i < n; i++) // truth: scan
        area[i] = area[i - 1] + 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
}

double romberg(double a, double b, double tol)
{
    double r[2][20], *old = r[0], *new = r[1], h = b - a;
    old[0] = 0.5 * h * (g(a) + g(b));
    for (int k = 1; k < 20; k++) { // truth: sequential
        double s = 0.0, f = 4.0;
        h *= 0.5;
        for (long i = 1; i < 1l << k; i += 2) // truth: parallel
            s += g(a + i * h);
        new[0] = 0.5 * old[0] + h * s;
        for (int m = 1; m <= k; m++, f *= 4.0) // truth: scan
            new[m] = (f * new[m - 1] - old[m - 1]) / (f - 1.0);
        if (k > 3 && fabs(new[k] - old[k - 1]) < tol)
            return new[k];
        double *t = old;
        old = new;
        new = t;
    }
    return old[19];
}

double monte_carlo(double a, double b, long n, uint64_t *rng)
{
    double sum = 0.0;
    for (long i = 0; i < n; i++) { // truth: sequential
        *rng = *rng * 6364136223846793005u + 1442695040888963407u;
        sum += g(a + (b - a) * (double)(*rng >> 11) / 9007199254740992.0);
    }
    return sum * (b - a) / n;
}

double weyl_sequence(double a, double b, long n)
{
    double sum = 0.0;
    for (long i = 0; i < n; i++) // truth: parallel
        sum += g(a + (b - a) * fmod(0.6180339887498949 * i, 1.0));
    return sum * (b - a) / n;
}
