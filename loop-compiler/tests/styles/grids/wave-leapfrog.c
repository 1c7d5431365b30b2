// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Wave equation with three time levels of float rows, a source point and a log of the energy.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct wave {
    int n;
    float **prev, **cur, **next;
    float **speed2;
};

static double energy(const struct wave *w)
{
    double e = 0.0;
    for (int i = 1; i < w->n - 1; ++i) { // truth: parallel
        for (int j = 1; j < w->n - 1; ++j) { // truth: parallel
            const double v = w->cur[i][j] - w->prev[i][j];
            e += v * v;
        }
    }
    return e;
}

int wave_run(struct wave *w, int steps, int si, int sj, FILE *log)
{
    if (si <= 0 || sj <= 0 || si >= w->n - 1 || sj >= w->n - 1)
        return EXIT_FAILURE;

    for (int t = 0; t < steps; ++t) { // truth: sequential
        for (int i = 1; i < w->n - 1; ++i) { // truth: parallel
            const float *up = w->cur[i - 1], *mid = w->cur[i], *down = w->cur[i + 1];
            for (int j = 1; j < w->n - 1; ++j) { // truth: parallel
                const float lap = up[j] + down[j] + mid[j - 1] + mid[j + 1] - 4.0f * mid[j];
                w->next[i][j] = 2.0f * mid[j] - w->prev[i][j] + w->speed2[i][j] * lap;
            }
        }
        w->next[si][sj] += sinf(0.05f * (float)t);
        float **old = w->prev;
        w->prev = w->cur;
        w->cur = w->next;
        w->next = old;
        if (log && t % 50 == 0)
            fprintf(log, "%d %g\n", t, energy(w));
    }
    return EXIT_SUCCESS;
}

/* The same update written over the previous level: each cell reads only its own old value there. */
void wave_in_place(float **prev, float **cur, int n, float c2)
{
    for (int i = 1; i < n - 1; ++i) // truth: parallel
        for (int j = 1; j < n - 1; ++j) // truth: parallel
            prev[i][j] = 2.0f * cur[i][j] - prev[i][j]
                + c2 * (cur[i - 1][j] + cur[i + 1][j] + cur[i][j - 1] + cur[i][j + 1] - 4.0f * cur[i][j]);
}
