// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Poisson equation by red-black relaxation on a grid of rows, with the residual norm.
#include <math.h>

/* Cells with (i + j) % 2 == colour are updated; they read the cells of the other colour only. */
static void half_sweep(double **u, double **f, int n, double h2, double w, int colour)
{
    for (int i = 1; i < n - 1; i++) { // truth: parallel
        int first = 1 + (i + 1 + colour) % 2;
        for (int j = first; j < n - 1; j += 2) { // truth: parallel
            double gs = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j] - h2 * f[i][j]);
            u[i][j] += w * (gs - u[i][j]);
        }
    }
}

static double residual(double *const *u, double *const *f, int n, double h2)
{
    double sum = 0.0;
    for (int i = 1; i < n - 1; i++) // truth: parallel
        for (int j = 1; j < n - 1; j++) { // truth: parallel
            double r = (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j] - 4.0 * u[i][j]) / h2 - f[i][j];
            sum += r * r;
        }
    return sqrt(sum);
}

int red_black(double **u, double **f, int n, double tol, int limit)
{
    const double h = 1.0 / (n - 1), w = 2.0 / (1.0 + sin(3.14159265358979 * h));
    int k = 0;

    do { // truth: sequential
        for (int colour = 0; colour < 2; colour++) // truth: sequential
            half_sweep(u, f, n, h * h, w, colour);
        k++;
    } while (k < limit && residual(u, f, n, h * h) > tol);
    return k;
}
