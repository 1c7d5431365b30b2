// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Orthonormal bases with helpers for dot and axpy: classical and modified Gram-Schmidt on row vectors.
#include <math.h>
#include <stdio.h>

static double dot(const double *x, const double *y, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += x[i] * y[i]; // truth: parallel
    return s;
}

static void axpy(double a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i]; // truth: parallel
}

static void scale(double a, double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] *= a; // truth: parallel
}

/* The coefficients are all taken from the vector as it was. Returns the rank. */
int classical(double *v, int count, int n, double *r)
{
    int rank = 0;
    for (int j = 0; j < count; j++) { // truth: sequential
        double *vj = v + j * n;
        for (int k = 0; k < j; k++) // truth: parallel
            r[k] = dot(v + k * n, vj, n);
        for (int k = 0; k < j; k++) // truth: parallel
            axpy(-r[k], v + k * n, vj, n);
        const double len = sqrt(dot(vj, vj, n));
        if (len < 1e-12) {
            fprintf(stderr, "vector %d depends on those before it\n", j);
            scale(0.0, vj, n);
            continue;
        }
        scale(1.0 / len, vj, n);
        rank++;
    }
    return rank;
}

void modified(double *v, int count, int n)
{
    for (int j = 0; j < count; j++) { // truth: sequential
        double *vj = v + j * n;
        scale(1.0 / sqrt(dot(vj, vj, n)), vj, n);
        for (int k = j + 1; k < count; k++) { // truth: parallel
            double *vk = v + k * n;
            axpy(-dot(vj, vk, n), vj, vk, n);
        }
    }
}
