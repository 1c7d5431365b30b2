// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Banded matrices: only the diagonals close to the main one are stored.
#include <stddef.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Row i holds the columns i - half … i + half, also those outside. */
void band_times_vector(const double *band, int n, int half, const double *x, double *y)
{
    size_t row = 0;
    const int width = 2 * half + 1;
    for (int i = 0; i < n; i++, row += (size_t)width) { // truth: parallel
        double s = 0.0;
        const int first = MAX(0, i - half), last = MIN(n - 1, i + half);
        size_t k = row + (size_t)(first - i + half);
        for (int j = first; j <= last; j++) // truth: parallel
            s += band[k++] * x[j];
        y[i] = s;
    }
}

/* Tridiagonal systems: the forward pass divides by what it computed before. */
void solve_tridiagonal(const double *lo, double *di, const double *up, double *b, int n)
{
    for (int i = 1; i < n; i++) { // truth: sequential
        double m = lo[i] / di[i - 1];
        di[i] -= m * up[i - 1];
        b[i] -= m * b[i - 1];
    }
    if (n > 0)
        b[n - 1] /= di[n - 1];
    for (int i = n - 2; i >= 0; i--) // truth: scan
        b[i] = (b[i] - up[i] * b[i + 1]) / di[i];
}

/* Many systems with one matrix each, `n` rows apart. */
void solve_many(const double *lo, double *di, const double *up, double *b, int n, int systems)
{
    ptrdiff_t at = 0;
    for (int s = 0; s < systems; s++) { // truth: parallel
        solve_tridiagonal(lo + at, di + at, up + at, b + at, n);
        at += n;
    }
}

double band_norm(const double *band, int n, int half)
{
    double norm = 0.0;
    size_t k = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        double s = 0.0;
        for (int d = -half; d <= half; d++, k++) // truth: parallel
            s += i + d >= 0 && i + d < n ? (band[k] < 0 ? -band[k] : band[k]) : 0.0;
        norm = MAX(norm, s);
    }
    return norm;
}
