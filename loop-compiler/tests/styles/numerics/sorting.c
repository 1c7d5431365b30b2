// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sorting steps: a bitonic network, the merge of two sorted arrays, binary searches for many values.
#include <stddef.h>
#include <stdint.h>

/* n is a power of two. */
void bitonic(uint32_t *a, uint32_t n)
{
    for (uint32_t k = 2; k <= n; k <<= 1) // truth: sequential
        for (uint32_t j = k >> 1; j > 0; j >>= 1) // truth: sequential
            for (uint32_t i = 0; i < n; i++) { // truth: parallel
                const uint32_t l = i ^ j;
                if (l > i && ((i & k) == 0) == (a[i] > a[l])) {
                    const uint32_t t = a[i];
                    a[i] = a[l];
                    a[l] = t;
                }
            }
}

size_t merge(const int *a, size_t na, const int *b, size_t nb, int *out)
{
    size_t i = 0, j = 0, k = 0;
    while (i < na && j < nb) // truth: sequential
        out[k++] = b[j] < a[i] ? b[j++] : a[i++];
    while (i < na) out[k++] = a[i++]; // truth: parallel
    while (j < nb) out[k++] = b[j++]; // truth: parallel
    return k;
}

/* at[i] = number of elements of the sorted array s that are less than v[i] */
void lower_bounds(const int *s, size_t n, const int *v, size_t m, size_t *at)
{
    for (size_t i = 0; i < m; i++) { // truth: parallel
        size_t lo = 0, len = n;
        while (len > 0) { // truth: sequential
            const size_t half = len / 2;
            if (s[lo + half] < v[i]) {
                lo += half + 1;
                len -= half + 1;
            } else {
                len = half;
            }
        }
        at[i] = lo;
    }
}
