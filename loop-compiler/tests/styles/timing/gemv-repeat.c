// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Repeated matrix-vector products with a flush of the cache between them and statistics of the times.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLES 32

static char flush_area[1 << 22];

static int flush(int value)
{
    int s = 0;
    for (size_t k = 0; k < sizeof flush_area; k += 64) { // truth: parallel
        flush_area[k] = (char)(flush_area[k] + value);
        s += flush_area[k];
    }
    return s;
}

static void gemv(const double *a, const double *x, double *y, int n, int ld)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        double s = 0.0;
        for (int j = 0; j < n; j++) // truth: parallel
            s += a[(size_t)i * ld + j] * x[j];
        y[i] = s;
    }
}

double gemv_samples(const double *a, const double *x, double *y, int n, int ld, int *guard)
{
    double t[SAMPLES], mean = 0.0, var = 0.0;
    int spikes = 0;

    for (int k = 0; k < SAMPLES; k++) { // truth: sequential
        *guard += flush(k);
        const clock_t c = clock();
        gemv(a, x, y, n, ld);
        t[k] = (double)(clock() - c) / CLOCKS_PER_SEC;
    }
    for (int k = 0; k < SAMPLES; k++) // truth: parallel
        mean += t[k];
    mean /= SAMPLES;
    for (int k = 0; k < SAMPLES; k++) { // truth: parallel
        const double d = t[k] - mean;
        var += d * d;
        if (t[k] > 2.0 * mean)
            spikes++;
    }
    printf("mean %g sd %g spikes %d\n", mean, sqrt(var / SAMPLES), spikes);
    /* Exponential average of the samples. */
    double ema = t[0];
    for (int k = 1; k < SAMPLES; k++) // truth: scan
        ema = 0.9 * ema + 0.1 * t[k];
    return ema;
}
