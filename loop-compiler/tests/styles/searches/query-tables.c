// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Looks up many queries in sorted tables.
#include <stddef.h>
#include <stdint.h>

/* First position whose key is not below the one asked for. */
static size_t lower_bound(const uint64_t *key, size_t n, uint64_t ask)
{
    size_t lo = 0;

    while (n > 0) { // truth: sequential
        size_t half = n / 2;
        if (key[lo + half] < ask) {
            lo += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return lo;
}

void lookup_all(const uint64_t *key, const float *value, size_t n,
                const uint64_t *ask, float *answer, size_t queries, float missing)
{
    for (size_t q = 0; q < queries; q++) { // truth: parallel
        size_t at = lower_bound(key, n, ask[q]);
        answer[q] = at < n && key[at] == ask[q] ? value[at] : missing;
    }
}

/* Written out instead of a call. */
size_t count_present(const uint64_t *key, size_t n, const uint64_t *ask, size_t queries)
{
    size_t present = 0;
    for (size_t q = 0; q < queries; q++) { // truth: parallel
        size_t lo = 0, hi = n;
        while (lo < hi) { // truth: sequential
            size_t mid = lo + (hi - lo) / 2;
            if (key[mid] < ask[q])
                lo = mid + 1;
            else
                hi = mid;
        }
        present += lo < n && key[lo] == ask[q];
    }
    return present;
}

/* Adds the keys that are not there yet: the table grows. */
size_t insert_all(uint64_t *key, size_t n, const uint64_t *ask, size_t queries)
{
    for (size_t q = 0; q < queries; q++) { // truth: sequential
        size_t at = lower_bound(key, n, ask[q]);
        if (at < n && key[at] == ask[q])
            continue;
        for (size_t i = n; i > at; i--) // truth: sequential
            key[i] = key[i - 1];
        key[at] = ask[q];
        n++;
    }
    return n;
}
