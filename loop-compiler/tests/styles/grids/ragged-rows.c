// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Rows of different lengths: row sums, offsets into a flat copy, the copy, triangular product, longest row.
#include <stddef.h>
#include <stdlib.h>

typedef struct ragged {
    size_t count;
    size_t *length;
    float **row;
} ragged;

float *ragged_flatten(const ragged *g, size_t *offset, size_t *total)
{
    size_t pos = 0;
    for (size_t i = 0; i < g->count; i++) { // truth: scan
        offset[i] = pos;
        pos += g->length[i];
    }
    *total = pos;
    float *flat = pos ? malloc(pos * sizeof *flat) : NULL;
    if (!flat)
        return NULL;
    for (size_t i = 0; i < g->count; i++) { // truth: parallel
        float *out = flat + offset[i];
        for (size_t k = 0; k < g->length[i]; k++) // truth: parallel
            out[k] = g->row[i][k];
    }
    return flat;
}

size_t ragged_longest(const ragged *g, float *sums)
{
    size_t best = 0;
    for (size_t i = 0; i < g->count; i++) { // truth: parallel
        float s = 0;
        const float *r = g->row[i];
        for (size_t k = g->length[i]; k-- > 0;) // truth: parallel
            s += r[k];
        sums[i] = s;
        if (g->length[i] > g->length[best])
            best = i;
    }
    return best;
}

/* Lower triangle: row i has i + 1 values. y = L * x. */
void ragged_triangle(float *const *row, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) { // truth: parallel
        y[i] = 0;
        for (int j = 0; j <= i; j++) // truth: parallel
            y[i] += row[i][j] * x[j];
    }
}
