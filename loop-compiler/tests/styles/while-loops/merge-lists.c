// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Merges sorted lists of keys and compares them.
#include <stddef.h>

size_t merge_keys(const long *a, size_t na, const long *b, size_t nb, long *out)
{
    size_t i = 0, j = 0, k = 0;

    while (i < na && j < nb) { // truth: sequential
        if (b[j] < a[i])
            out[k++] = b[j++];
        else
            out[k++] = a[i++];
    }
    while (i < na) // truth: parallel
        out[k++] = a[i++];
    while (j < nb) // truth: parallel
        out[k++] = b[j++];
    return k;
}

size_t common_keys(const long *a, size_t na, const long *b, size_t nb)
{
    size_t common = 0;
    while (na && nb) { // truth: sequential
        if (*a == *b) {
            common++;
            a++, na--;
            b++, nb--;
        } else if (*a < *b) {
            a++, na--;
        } else {
            b++, nb--;
        }
    }
    return common;
}

/* First position at which the lists differ. */
size_t shared_prefix(const long *a, const long *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i]) // truth: parallel
        ++i;
    return i;
}

/* Keys with an odd number go to the output, in order. */
size_t odd_keys(const long *a, size_t n, long *out)
{
    size_t i = 0, k = 0;
    while (i < n) { // truth: scan
        if (a[i] & 1)
            out[k++] = a[i];
        i++;
    }
    return k;
}
