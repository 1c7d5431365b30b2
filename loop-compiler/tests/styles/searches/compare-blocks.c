// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Compares memory blocks and signals.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int block_compare(const void *left, const void *right, size_t n)
{
    const uint8_t *a = left;
    const uint8_t *b = right;

    for (size_t i = 0; i < n; ++i) { // truth: parallel
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

bool block_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t diff = 0;
    for (size_t i = 0; i < n; ++i) // truth: parallel
        diff |= (uint8_t)(a[i] ^ b[i]);
    return diff == 0;
}

bool close_enough(const float *a, const float *b, size_t n, float tol)
{
    bool same = true;
    for (size_t i = 0; i < n && same; ++i) // truth: parallel
        if (!(fabsf(a[i] - b[i]) <= tol))
            same = false;
    return same;
}

size_t first_difference(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t at = n;
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        if (a[i] == b[i])
            continue;
        at = i;
        break;
    }
    return at;
}

/* Copies until the blocks agree; returns how many bytes were replaced. */
size_t sync_prefix(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t i;
    for (i = 0; i < n; ++i) { // truth: sequential
        if (to[i] == from[i])
            break;
        to[i] = from[i];
    }
    return i;
}
