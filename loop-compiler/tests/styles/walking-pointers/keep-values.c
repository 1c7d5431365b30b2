// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Selects and partitions values with an output pointer that advances on a condition.
#include <math.h>
#include <stddef.h>

size_t keep_finite(const double *src, size_t n, double *dst)
{
    double *o = dst;
    for (const double *p = src, *end = src + n; p != end; ++p) // truth: scan
        if (isfinite(*p))
            *o++ = *p;
    return (size_t)(o - dst);
}

/* Puts the small values first and the others, from the end down, last. */
size_t partition_out(const int *src, size_t n, int pivot, int *dst)
{
    int *front = dst;
    int *back = dst + n;

    while (n--) { // truth: scan
        int v = *src++;
        if (v < pivot)
            *front++ = v;
        else
            *--back = v;
    }
    return (size_t)(front - dst);
}

size_t count_below(const int *p, size_t n, int pivot)
{
    size_t below = 0;
    const int *const end = p + n;
    while (p < end) { // truth: parallel
        if (*p < pivot)
            below++;
        p++;
    }
    return below;
}

/* Replaces the values that are not finite; nothing moves. */
size_t patch(double *p, size_t n, double with)
{
    size_t patched = 0;
    for (; n > 0; n--, p++) { // truth: parallel
        if (isfinite(*p))
            continue;
        *p = with;
        patched++;
    }
    return patched;
}
