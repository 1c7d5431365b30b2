// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Differential equations: Runge-Kutta steps for many particles, and the points of one trajectory.
#include <math.h>
#include <stddef.h>

#define DIMS 3

static void lorenz(const double y[DIMS], double f[DIMS], double r)
{
    f[0] = 10.0 * (y[1] - y[0]);
    f[1] = y[0] * (r - y[2]) - y[1];
    f[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
}

static void rk4(double y[DIMS], double h, double r)
{
    static const double c[4] = { 0.0, 0.5, 0.5, 1.0 }, w[4] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
    double k[DIMS] = { 0 }, t[DIMS], sum[DIMS] = { 0 };
    for (int s = 0; s < 4; s++) { // truth: sequential
        for (int d = 0; d < DIMS; d++) // truth: parallel
            t[d] = y[d] + h * c[s] * k[d];
        lorenz(t, k, r);
        for (int d = 0; d < DIMS; d++) // truth: parallel
            sum[d] += w[s] * k[d];
    }
    for (int d = 0; d < DIMS; d++) // truth: parallel
        y[d] += h * sum[d];
}

void ensemble(double (*y)[DIMS], const double *r, size_t n, double h, int steps)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        for (int s = 0; s < steps; s++) // truth: sequential
            rk4(y[i], h, r[i]);
}

void trajectory(double y[DIMS], double r, double h, double (*out)[DIMS], size_t n)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        rk4(y, h, r);
        out[i][0] = y[0];
        out[i][1] = y[1];
        out[i][2] = y[2];
    }
}
