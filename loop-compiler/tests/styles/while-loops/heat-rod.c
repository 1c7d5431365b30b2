// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Temperature in a rod: relaxes until the largest change is small.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int relax_rod(double *t, int n, double eps, int max_sweeps)
{
    double *next;
    double change;
    int sweeps = 0;

    if (n < 3)
        return 0;
    next = malloc((size_t)n * sizeof(double));
    if (next == NULL) {
        fprintf(stderr, "relax_rod: out of memory\n");
        return -1;
    }
    next[0] = t[0];
    next[n - 1] = t[n - 1];

    do { // truth: sequential
        int i = 1;
        change = 0.0;
        while (i < n - 1) { // truth: parallel
            next[i] = 0.5 * (t[i - 1] + t[i + 1]);
            change = fmax(change, fabs(next[i] - t[i]));
            i++;
        }
        memcpy(t, next, (size_t)n * sizeof(double));
        sweeps++;
    } while (change > eps && sweeps < max_sweeps);

    free(next);
    return sweeps;
}

/* In place and clipped: every point uses the new value of its left neighbour. */
void relax_clipped(double *t, int n, double limit, int sweeps)
{
    while (sweeps-- > 0) { // truth: sequential
        int i = 0;
        while (++i < n - 1) { // truth: sequential
            double v = 0.5 * (t[i - 1] + t[i + 1]);
            t[i] = v > limit ? limit : v;
        }
    }
}

double mean_temperature(const double *t, int n)
{
    double sum = 0.0;
    int i = n;
    while (i > 0) // truth: parallel
        sum += t[--i];
    return n > 0 ? sum / n : 0.0;
}
