// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Differences, midpoints and smoothing of adjacent values, with pairs of pointers.
#include <stddef.h>

void differences(const int *a, size_t n, int *d)
{
    if (n < 2)
        return;
    const int *end = a + n;
    for (const int *b = a + 1; b < end; a++, b++) // truth: parallel
        *d++ = *b - *a;
}

/* In place: the difference needs the next value, which a later step replaces. */
void differences_in_place(int *a, size_t n)
{
    if (n < 2)
        return;
    int *p = a, *q = a + 1, *end = a + n;
    while (q != end) { // truth: sequential
        *p = *q - *p;
        p++;
        q++;
    }
}

void smooth_in_place(int *v, size_t n)
{
    int *prev = v;
    int *cur = v + 1;

    if (n < 2)
        return;
    for (; cur < v + n; prev++, cur++) // truth: sequential
        *cur = (*prev + *cur) / 2;
}

void midpoints(const float *v, size_t n, float *out)
{
    const float *left = v, *right = v + 1;
    if (n < 2)
        return;
    do { // truth: parallel
        *out++ = 0.5f * (*left++ + *right++);
    } while (right != v + n);
}

/* Exchanges the elements of each pair: the pairs do not overlap. */
void swap_pairs(float *v, size_t n)
{
    float *const stop = v + (n & ~(size_t)1);
    for (float *p = v; p != stop; p += 2) { // truth: parallel
        const float t = *p;
        *p = *(p + 1);
        *(p + 1) = t;
    }
}
