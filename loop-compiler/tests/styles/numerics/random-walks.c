// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Random walks: many independent walkers with a state each, one generator for all, the path as a running sum.
#include <math.h>
#include <stdint.h>

struct walker { double x, y; uint64_t rng; };

static inline uint64_t rotl(uint64_t v, int k) { return v << k | v >> (64 - k); }

static double uniform(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (double)(rotl(*s, 23) >> 11) * 0x1p-53;
}

static void hop(struct walker *w, double length)
{
    const double angle = 6.283185307179586 * uniform(&w->rng);
    w->x += length * cos(angle);
    w->y += length * sin(angle);
}

double walkers_run(struct walker *w, int n, int steps, double length)
{
    double r2 = 0.0;
    for (int i = 0; i < n; ++i) { // truth: parallel
        struct walker *p = w + i;
        for (int s = 0; s < steps; ++s) // truth: sequential
            hop(p, length);
        r2 += p->x * p->x + p->y * p->y;
    }
    return r2 / n;
}

/* All walkers draw from one generator. */
void walkers_shared(struct walker *w, int n, double length, uint64_t *rng)
{
    for (int i = 0; i < n; ++i) { // truth: sequential
        const double angle = 6.283185307179586 * uniform(rng);
        w[i].x += length * cos(angle);
        w[i].y += length * sin(angle);
    }
}

/* The steps are given: the path is the running sum. */
void path(const signed char *step, int *position, int n)
{
    int at = 0;
    for (int i = 0; i < n; ++i) { // truth: scan
        at += step[i];
        position[i] = at;
    }
}

/* A walk between two walls; it stays at a wall until a step leads away. */
int walled(const signed char *step, int n, int width)
{
    int at = 0;
    for (int i = 0; i < n; ++i) { // truth: sequential
        at += step[i];
        at = at < 0 ? 0 : at > width ? width : at;
    }
    return at;
}
