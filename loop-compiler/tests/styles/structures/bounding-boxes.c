// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Axis-aligned boxes: union of all, overlap tests and counts, an independent subset, inflation.
#include <float.h>
#include <stdbool.h>
#include <string.h>

typedef struct { float min[3], max[3]; } aabb;
typedef struct { aabb box; int cluster; } prim;

static inline void grow(aabb *b, const aabb *o)
{
    for (int k = 0; k < 3; ++k) { // truth: parallel
        if (o->min[k] < b->min[k]) b->min[k] = o->min[k];
        if (o->max[k] > b->max[k]) b->max[k] = o->max[k];
    }
}

static inline bool overlap(const aabb *a, const aabb *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1]
        && b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

aabb prims_bounds(const prim *p, int n)
{
    aabb all = { { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
    for (int i = 0; i < n; ++i) // truth: parallel
        grow(&all, &p[i].box);
    return all;
}

long prims_pairs(const prim *p, int n)
{
    long pairs = 0;
    for (int i = 0; i < n; ++i) // truth: parallel
        for (int j = i + 1; j < n; ++j) // truth: parallel
            pairs += overlap(&p[i].box, &p[j].box);
    return pairs;
}

/* Keeps a box only if it does not touch one that was kept before. */
int prims_independent(const prim *p, int n, int *keep)
{
    int kept = 0;
    for (int i = 0; i < n; ++i) { // truth: sequential
        bool free_of_all = true;
        for (int k = 0; k < kept && free_of_all; ++k) // truth: parallel
            free_of_all = !overlap(&p[i].box, &p[keep[k]].box);
        if (free_of_all)
            keep[kept++] = i;
    }
    return kept;
}

void prims_inflate(prim *p, int n, float by)
{
    prim *const end = p + n;
    while (p != end) { // truth: parallel
        for (int k = 0; k < 3; ++k) { // truth: parallel
            p->box.min[k] -= by;
            p->box.max[k] += by;
        }
        ++p;
    }
}
