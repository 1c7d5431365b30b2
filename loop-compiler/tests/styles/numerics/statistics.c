// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Statistics of a sample: means, autocorrelation, longest run, cumulative maximum, largest drop, last match.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void column_means(const double *x, size_t rows, size_t cols, double *mean)
{
    for (size_t c = 0; c < cols; c++) { // truth: parallel
        double s = 0;
        for (size_t r = 0; r < rows; r++) s += x[r * cols + c]; // truth: parallel
        mean[c] = s / (double)rows;
    }
}

void autocorrelation(const double *x, size_t n, double mean, double *r, size_t lags)
{
    for (size_t k = 0; k < lags; k++) { // truth: parallel
        double s = 0;
        for (size_t i = k; i < n; i++) // truth: parallel
            s += (x[i] - mean) * (x[i - k] - mean);
        r[k] = s / (double)n;
    }
}

/* Length of the longest run of values above the level. */
size_t longest_run(const double *x, size_t n, double level)
{
    size_t run = 0, best = 0;
    for (size_t i = 0; i < n; i++) { // truth: sequential
        if (x[i] > level)
            run++;
        else
            run = 0;
        if (run > best)
            best = run;
    }
    return best;
}

void cumulative_max(const double *x, double *y, size_t n)
{
    double m = -INFINITY;
    for (size_t i = 0; i < n; i++) { // truth: scan
        if (x[i] > m) m = x[i];
        y[i] = m;
    }
}

/* Largest drop below the highest value so far. */
double drawdown(const double *x, size_t n)
{
    double top = -INFINITY, worst = 0;
    for (size_t i = 0; i < n; i++) { // truth: scan
        top = fmax(top, x[i]);
        worst = fmax(worst, top - x[i]);
    }
    return worst;
}

size_t last_above(const double *x, size_t n, double level)
{
    size_t last = n;
    for (size_t i = 0; i < n; i++) // truth: parallel
        if (x[i] > level)
            last = i;
    return last;
}
