// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Helpers that touch more than the element they are given: pairs, neighbours ahead, strided pairs, offsets.
#include <stddef.h>
#include <stdlib.h>

static void exchange(int *a, int *b)
{
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

static void haar(float *p, ptrdiff_t d)
{
    const float s = p[0] + p[d], t = p[0] - p[d];
    p[0] = 0.5f * s;
    p[d] = 0.5f * t;
}

static void carry(unsigned *limb)
{
    limb[1] += limb[0] >> 16;
    limb[0] &= 0xffffu;
}

/* One bubble pass: the largest value moves to the end. */
void bubble_pass(int *a, int n)
{
    for (int i = 0; i + 1 < n; i++) // truth: sequential
        exchange(&a[i], &a[i + 1]);
}

void pairs_pass(int *a, int n)
{
    for (int i = 0; i + 1 < n; i += 2) // truth: parallel
        exchange(a + i, a + i + 1);
}

void halves_pass(int *a, int n)
{
    const int h = n / 2;
    for (int i = 0; i < h; i++) // truth: parallel
        exchange(a + i, a + i + h);
}

/* Each limb has 32 bits of which 16 are used after the carry; limb[n] exists. */
void carries(unsigned *limb, int n)
{
    for (int i = 0; i < n; i++) // truth: sequential
        carry(limb + i);
}

void haar_levels(float *x, ptrdiff_t n, int levels)
{
    ptrdiff_t d = 1;
    for (int k = 0; k < levels && 2 * d <= n; k++, d *= 2) // truth: sequential
        for (ptrdiff_t i = 0; i + d < n; i += 2 * d) // truth: parallel
            haar(x + i, d);
}
