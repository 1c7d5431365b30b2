// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Fills, scales and shuffles arrays with a small random generator.
#include <stddef.h>
#include <stdint.h>

static uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

void fill_uniform(float *out, size_t n, uint32_t seed)
{
    uint32_t state = seed ? seed : 1;
    size_t i = 0;
    while (i < n) // truth: sequential
        out[i++] = (float)(next_random(&state) >> 8) * (1.0f / 16777216.0f);
}

void scale_to(float *v, size_t n, float lo, float hi)
{
    const float range = hi - lo;
    while (n > 0) { // truth: parallel
        --n;
        v[n] = lo + v[n] * range;
    }
}

void shuffle(int *a, size_t n, uint32_t *state)
{
    while (n > 1) { // truth: sequential
        size_t j = next_random(state) % n;
        n--;
        int t = a[n];
        a[n] = a[j];
        a[j] = t;
    }
}

/* A seed of its own for every row: the rows do not depend on each other. */
void fill_rows(float *out, size_t rows, size_t cols, uint32_t seed)
{
    size_t r = 0;
    while (r < rows) { // truth: parallel
        uint32_t state = seed + (uint32_t)r * 2654435761u + 1u;
        size_t c = 0;
        while (c < cols) { // truth: sequential
            out[r * cols + c] = (float)(next_random(&state) & 0xffff);
            c++;
        }
        r++;
    }
}
