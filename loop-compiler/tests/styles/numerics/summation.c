// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums with compensation, in pairs, in blocks, and a product in logarithms.
#include <math.h>
#include <stddef.h>

double sum_kahan(const double *x, size_t n)
{
    double s = 0.0, c = 0.0;
    for (size_t i = 0; i < n; ++i) { // truth: sequential
        const double y = x[i] - c;
        const double t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}

/* Rows are summed with compensation, each on its own. */
void sum_kahan_rows(const double *x, size_t rows, size_t cols, double *out)
{
    for (size_t r = 0; r < rows; ++r) // truth: parallel
        out[r] = sum_kahan(x + r * cols, cols);
}

double sum_pairs(double *x, size_t n)
{
    while (n > 1) { // truth: sequential
        const size_t h = n / 2;
        for (size_t i = 0; i < h; ++i) // truth: parallel
            x[i] += x[n - 1 - i];
        n -= h;
    }
    return n ? x[0] : 0.0;
}

double sum_blocks(const double *x, size_t n)
{
    double total = 0.0;
    for (size_t b = 0; b < n; b += 128) { // truth: parallel
        const size_t end = b + 128 < n ? b + 128 : n;
        double part = 0.0;
        for (size_t i = b; i < end; ++i) // truth: parallel
            part += x[i];
        total += part;
    }
    return total;
}

double log_product(const double *x, size_t n, int *sign)
{
    double s = 0.0;
    int negative = 0;
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        s += log(fabs(x[i]));
        negative ^= x[i] < 0.0;
    }
    *sign = negative ? -1 : 1;
    return s;
}
