// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Timed histograms: one table, private tables merged by hand, and the comparison of both.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BINS = 256, WAYS = 4 };

static void plain(const uint8_t *v, int n, uint32_t h[BINS])
{
    memset(h, 0, BINS * sizeof h[0]);
    for (int i = 0; i < n; ++i) // truth: parallel
        ++h[v[i]];
}

static void four_ways(const uint8_t *v, int n, uint32_t h[BINS])
{
    static uint32_t part[WAYS][BINS];
    int i;
    memset(part, 0, sizeof part);
    for (i = 0; i + WAYS <= n; i += WAYS) { // truth: parallel
        part[0][v[i]]++;
        part[1][v[i + 1]]++;
        part[2][v[i + 2]]++;
        part[3][v[i + 3]]++;
    }
    for (; i < n; ++i) // truth: parallel
        part[0][v[i]]++;
    for (int b = 0; b < BINS; ++b) // truth: parallel
        h[b] = part[0][b] + part[1][b] + part[2][b] + part[3][b];
}

int histogram_bench(const uint8_t *v, int n, int repeats)
{
    uint32_t a[BINS], b[BINS], seen = 0;
    clock_t t[3] = { clock(), 0, 0 };

    for (int r = 0; r < repeats; ++r) // truth: sequential
        plain(v, n, a);
    t[1] = clock();
    for (int r = 0; r < repeats; ++r) // truth: sequential
        four_ways(v, n, b);
    t[2] = clock();
    for (int k = 0; k < BINS; ++k) // truth: parallel
        if (a[k] != b[k])
            return -1;
    for (int k = 0; k < BINS; ++k) // truth: parallel
        seen += a[k];
    printf("plain %ld four %ld values %u\n", (long)(t[1] - t[0]), (long)(t[2] - t[1]), (unsigned)seen);
    return 0;
}
