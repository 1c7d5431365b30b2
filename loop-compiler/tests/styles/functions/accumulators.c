// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Accumulators behind pointers and in structs: moments, merged moments, a running mean, histograms through helpers.
#include <math.h>
#include <stdint.h>

struct moments { long n; double sum, sum2; };
struct running { long n; double mean, m2; };

static void moments_add(struct moments *m, double v)
{
    m->n++;
    m->sum += v;
    m->sum2 += v * v;
}

static double moments_mean(const struct moments *m) { return m->n > 0 ? m->sum / (double)m->n : 0.0; }

static void running_add(struct running *r, double v)
{
    const double d = v - r->mean;
    r->n++;
    r->mean += d / (double)r->n;
    r->m2 += d * (v - r->mean);
}

static void count(unsigned *hist, int bins, double v)
{
    int k = (int)(v * bins);
    if (k < 0) k = 0;
    if (k >= bins) k = bins - 1;
    hist[k]++;
}

void moments_of(const double *x, int n, struct moments *m)
{
    for (int i = 0; i < n; i++) // truth: parallel
        moments_add(m, x[i]);
}

/* Centred values: the mean so far is read in each iteration. */
void centre_online(double *x, int n, struct moments *m)
{
    for (int i = 0; i < n; i++) { // truth: scan
        moments_add(m, x[i]);
        x[i] -= moments_mean(m);
    }
}

void running_of(const double *x, int n, struct running *r)
{
    for (int i = 0; i < n; i++) // truth: sequential
        running_add(r, x[i]);
}

void histogram_of(const double *x, int n, unsigned *hist, int bins)
{
    for (int k = 0; k < bins; k++) // truth: parallel
        hist[k] = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        count(hist, bins, x[i]);
}

/* One set of moments per column. */
void moments_columns(const double *x, int rows, int cols, struct moments *m)
{
    for (int r = 0; r < rows; r++) // truth: parallel
        for (int c = 0; c < cols; c++) // truth: parallel
            moments_add(&m[c], x[r * cols + c]);
}
