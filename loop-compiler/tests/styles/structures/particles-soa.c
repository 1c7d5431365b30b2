// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Particles as a struct of arrays: kick and drift, periodic box, centre of mass, and cell counts.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct soa {
    int n;
    float *x, *y, *vx, *vy, *m;
    uint32_t *cell;
};

static inline float wrapf(float v, float len) { return v - len * floorf(v / len); }

void soa_step(struct soa *s, const float *ax, const float *ay, float dt, float len)
{
    int i;
    for (i = 0; i < s->n; ++i) { // truth: parallel
        s->vx[i] += dt * ax[i];
        s->vy[i] += dt * ay[i];
        s->x[i] = wrapf(s->x[i] + dt * s->vx[i], len);
        s->y[i] = wrapf(s->y[i] + dt * s->vy[i], len);
    }
}

float soa_centre(const struct soa *s, float *cx, float *cy)
{
    float mx = 0, my = 0, total = 0;
    for (int i = s->n - 1; i >= 0; --i) { // truth: parallel
        mx += s->m[i] * s->x[i];
        my += s->m[i] * s->y[i];
        total += s->m[i];
    }
    if (total <= 0)
        return 0;
    *cx = mx / total;
    *cy = my / total;
    return total;
}

/* Counting sort by cell: counts, starts, order. start has cells + 1 entries. */
void soa_bins(struct soa *s, float len, int side, int *start, int *order)
{
    const float k = (float)side / len;
    for (int c = 0; c <= side * side; ++c) // truth: parallel
        start[c] = 0;
    for (int i = 0; i < s->n; ++i) { // truth: parallel
        s->cell[i] = (uint32_t)(s->y[i] * k) * (uint32_t)side + (uint32_t)(s->x[i] * k);
        start[s->cell[i] + 1]++;
    }
    for (int c = 0; c < side * side; ++c) // truth: scan
        start[c + 1] += start[c];
    for (int i = s->n - 1; i >= 0; --i) // truth: sequential
        order[--start[s->cell[i] + 1]] = i;
}
