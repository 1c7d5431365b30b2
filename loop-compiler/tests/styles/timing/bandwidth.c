// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Memory bandwidth of four vector kernels: warm-up, repetitions with the best time, check of the result.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 12

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

int bandwidth(size_t n, FILE *out)
{
    double best[2] = { DBL_MAX, DBL_MAX }, errors = 0.0;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
    if (!a || !b || !c) {
        free(a), free(b), free(c);
        return -1;
    }
    for (size_t i = 0; i < n; i++) { // truth: parallel
        a[i] = 1.0;
        b[i] = 0.5 * (double)(i % 17);
        c[i] = 0.0;
    }
    for (int r = 0; r < REPEATS; r++) { // truth: sequential
        double t = now();
        for (size_t i = 0; i < n; i++) // truth: parallel
            c[i] = a[i];
        t = now() - t;
        if (r > 0 && t < best[0])
            best[0] = t;
        t = now();
        for (size_t i = 0; i < n; i++) // truth: parallel
            c[i] = a[i] + 3.0 * b[i];
        t = now() - t;
        if (r > 0 && t < best[1])
            best[1] = t;
    }
    for (size_t i = 0; i < n; i++) // truth: parallel
        if (c[i] != 1.0 + 1.5 * (double)(i % 17))
            errors++;
    for (int k = 0; k < 2; k++) // truth: sequential
        fprintf(out, "kernel %d: %.1f MB/s\n", k, (double)(2 + k) * 8e-6 * (double)n / best[k]);
    free(a), free(b), free(c);
    return errors > 0.0;
}
