// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Timed one-dimensional stencil with ping-pong buffers, checked against an in-place variant.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void smooth(const double *restrict in, double *restrict out, int n)
{
    out[0] = in[0];
    out[n - 1] = in[n - 1];
    for (int i = 1; i < n - 1; i++) // truth: parallel
        out[i] = 0.25 * in[i - 1] + 0.5 * in[i] + 0.25 * in[i + 1];
}

static void smooth_in_place(double *x, int n)
{
    double left = x[0];
    for (int i = 1; i < n - 1; i++) { // truth: sequential
        const double mid = x[i];
        x[i] = 0.25 * left + 0.5 * mid + 0.25 * x[i + 1];
        left = mid;
    }
}

int stencil_bench(int n, int iterations)
{
    double *buf[2], *ref;
    if (n < 3 || !(ref = malloc(3 * (size_t)n * sizeof *ref)))
        return -1;
    buf[0] = ref + n;
    buf[1] = ref + 2 * n;
    for (int i = 0; i < n; i++) // truth: parallel
        ref[i] = buf[0][i] = (i * 37) % 101;

    clock_t t0 = clock();
    for (int k = 0; k < iterations; k++) // truth: sequential
        smooth(buf[k & 1], buf[~k & 1], n);
    clock_t t1 = clock();
    for (int k = 0; k < iterations; k++) // truth: sequential
        smooth_in_place(ref, n);
    printf("two buffers %ld, in place %ld\n", (long)(t1 - t0), (long)(clock() - t1));

    int differ = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        differ |= fabs(buf[iterations & 1][i] - ref[i]) > 1e-9;
    free(ref);
    assert(!differ);
    return differ;
}
