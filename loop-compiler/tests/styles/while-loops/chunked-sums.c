// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums and maxima over chunks of a long sequence.
#include <stddef.h>

#define CHUNK 256

/* One partial sum for each full chunk. */
size_t chunk_sums(const double *v, size_t n, double *part)
{
    size_t start = 0, chunks = n / CHUNK;

    while (start + CHUNK <= n) { // truth: parallel
        double s = 0.0;
        size_t k = start;
        while (k < start + CHUNK) { // truth: parallel
            s += v[k];
            k++;
        }
        part[start / CHUNK] = s;
        start += CHUNK;
    }
    return chunks;
}

/* The chunk lengths are given; a length of 0 ends the list. */
size_t listed_sums(const double *v, const size_t *len, double *part)
{
    size_t c = 0, start = 0;

    while (len[c] != 0) { // truth: sequential
        double s = 0.0;
        size_t k = 0;
        while (k < len[c]) // truth: parallel
            s += v[start + k++];
        part[c] = s;
        start += len[c];
        c++;
    }
    return c;
}

/* Running total at the end of each chunk. */
void running_totals(double *part, size_t chunks)
{
    double total = 0.0;
    size_t c = 0;

    while (c < chunks) { // truth: scan
        total += part[c];
        part[c++] = total;
    }
}
