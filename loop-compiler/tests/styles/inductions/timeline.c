// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Builds time axes and counts events in intervals of equal length.
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Ticks with integer steps. */
void ticks(int64_t *out, size_t n, int64_t start, int64_t step)
{
    int64_t t = start;
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        out[i] = t;
        t += step;
    }
}

/* Two counters of different steps and a sign that alternates. */
void zigzag(const float *in, float *out, int n)
{
    int lo = 0, hi = 2 * n, sign = 1;
    for (int i = 0; i < n; ++i) { // truth: parallel
        out[i] = (float)sign * (in[lo] - in[hi]);
        sign = -sign;
        lo += 1;
        hi -= 1;
    }
}

void bin_events(const double *time, int n, double start, double width, int *bins, int nbins)
{
    for (int i = 0; i < n; ++i) { // truth: parallel
        int b = (int)floor((time[i] - start) / width);
        if (b < 0 || b >= nbins)
            continue;
        bins[b]++;
    }
}

/* Last event of each bin, in the order of the list. */
void last_in_bin(const double *time, int n, double width, int *last)
{
    for (int i = 0; i < n; ++i) { // truth: sequential
        int b = (int)(time[i] / width);
        last[b] = i;
    }
}

/* Events until each point in time, from the counts of the intervals. */
void cumulative(const int *bins, int nbins, int *upto)
{
    int c = 0;
    for (int b = 0; b < nbins; ++b) // truth: scan
        upto[b] = c += bins[b];
}

/* Appointments start on a full slot after the end of the one before. */
void push_apart(double *start, const double *length, double slot, int n)
{
    double free_at = 0.0;
    for (int i = 0; i < n; ++i) { // truth: sequential
        if (start[i] < free_at)
            start[i] = free_at;
        free_at = ceil((start[i] + length[i]) / slot) * slot;
    }
}
