// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prefix sums under a timer: serial, in blocks with carried offsets, and by doubling of the distance.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long ulong_t;

static void serial(const ulong_t *in, ulong_t *out, int n)
{
    ulong_t s = 0;
    for (int i = 0; i < n; i++) { s += in[i]; out[i] = s; } // truth: scan
}

static void blocks(const ulong_t *in, ulong_t *out, int n, int len)
{
    ulong_t base = 0;
    for (int b = 0; b < n; b += len) { // truth: scan
        const int m = b + len < n ? len : n - b;
        serial(in + b, out + b, m);
        for (int i = 0; i < m; i++) // truth: parallel
            out[b + i] += base;
        base = out[b + m - 1];
    }
}

static void doubling(ulong_t *a, ulong_t *b, int n)
{
    for (int d = 1; d < n; d *= 2) { // truth: sequential
        for (int i = 0; i < n; i++) // truth: parallel
            b[i] = i < d ? a[i] : a[i] + a[i - d];
        memcpy(a, b, (size_t)n * sizeof *a);
    }
}

int scan_bench(const ulong_t *in, ulong_t *x, ulong_t *y, ulong_t *tmp, int n)
{
    const clock_t c0 = clock();
    serial(in, x, n);
    const clock_t c1 = clock();
    blocks(in, y, n, 4096);
    const clock_t c2 = clock();
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += x[i] != y[i]; // truth: parallel
    memcpy(y, in, (size_t)n * sizeof *y);
    doubling(y, tmp, n);
    wrong += memcmp(x, y, (size_t)n * sizeof *x) != 0;
    printf("serial %ld blocks %ld wrong %d\n", (long)(c1 - c0), (long)(c2 - c1), wrong);
    return wrong;
}
