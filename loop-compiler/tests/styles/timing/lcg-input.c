// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Inputs for benchmarks: numbers with a stateful generator, with a function of the index, with jumps, shuffled.
#include <stdint.h>
#include <stdlib.h>

static uint32_t state = 12345u;

static uint32_t next(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 8;
}

static inline uint32_t mix32(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

void fill_stateful(float *x, int n)
{
    for (int i = 0; i < n; i++) // truth: sequential
        x[i] = (float)next() / 16777216.0f;
}

void fill_hashed(float *x, int n, uint32_t seed)
{
    for (int i = 0; i < n; i++) // truth: parallel
        x[i] = (float)(mix32(seed + (uint32_t)i) >> 8) / 16777216.0f;
}

/* One generator per row, seeded from the index of the row. */
void fill_rows(float *x, int rows, int cols, uint32_t seed)
{
    for (int r = 0; r < rows; r++) { // truth: parallel
        uint32_t s = mix32(seed ^ (uint32_t)r);
        for (int c = 0; c < cols; c++) { // truth: sequential
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
            x[r * cols + c] = (float)(s >> 8) / 16777216.0f;
        }
    }
}

void fill_library(int *x, int n, int below)
{
    srand(1);
    for (int i = 0; i < n; i++) // truth: sequential
        x[i] = rand() % below;
}

void shuffle(int *x, int n)
{
    for (int i = n - 1; i > 0; i--) { // truth: sequential
        int j = (int)(next() % (uint32_t)(i + 1)), t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
}
