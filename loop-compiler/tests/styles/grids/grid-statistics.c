// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reductions over a grid of float rows: minimum, maximum, mean, variance, position of the peak, empty rows.
#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct { float lo, hi; double mean, sd; int peak_row, peak_col; } grid_stats;

bool grid_statistics(float *const *rows, int h, int w, grid_stats *out)
{
    if (h < 1 || w < 1 || !out)
        return false;

    double sum = 0, sq = 0;
    float lo = FLT_MAX, hi = -FLT_MAX;
    int pr = 0, pc = 0;
    for (int y = 0; y < h; y++) { // truth: parallel
        const float *v = rows[y];
        for (int x = 0; x < w; x++) { // truth: parallel
            sum += v[x];
            sq += (double)v[x] * v[x];
            if (v[x] < lo)
                lo = v[x];
            if (v[x] > hi) {
                hi = v[x];
                pr = y;
                pc = x;
            }
        }
    }
    const double n = (double)h * w;
    *out = (grid_stats){ lo, hi, sum / n, sqrt(fmax(0.0, sq / n - sum / n * (sum / n))), pr, pc };
    return true;
}

/* First row in which all values are zero, or -1. */
int first_empty_row(float *const *rows, int h, int w)
{
    for (int y = 0; y < h; y++) { // truth: parallel
        int x = 0;
        while (x < w && rows[y][x] == 0.0f) // truth: parallel
            x++;
        if (x == w)
            return y;
    }
    return -1;
}

/* The mean is updated with each value, and each value is compared with the mean so far. */
int count_outliers(const float *v, int n, float factor)
{
    float mean = 0;
    int count = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        if (i > 0 && fabsf(v[i] - mean) > factor * fabsf(mean)) {
            count++;
            continue;
        }
        mean += (v[i] - mean) / (float)(i + 1);
    }
    return count;
}
