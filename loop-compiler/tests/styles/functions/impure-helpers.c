// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Helpers with side effects: a log counter, a one-entry cache, errno, allocation, a debug print behind a level.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int debug_level;
static double cached_key = -1.0, cached_value;

static double slow(double x)
{
    double s = 0.0;
    for (int k = 1; k < 200; k++) // truth: parallel
        s += sin(k * x) / k;
    return s;
}

static double slow_cached(double x)
{
    if (x != cached_key) {
        cached_value = slow(x);
        cached_key = x;
    }
    return cached_value;
}

static double traced(double x)
{
    if (debug_level > 0)
        fprintf(stderr, "traced(%g)\n", x);
    return x * x;
}

void set_debug_level(int level) { debug_level = level; }

void table_plain(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) // truth: parallel
        y[i] = slow(x[i]);
}

void table_cached(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) // truth: sequential
        y[i] = slow_cached(x[i]);
}

double squares_traced(const double *x, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) // truth: sequential
        s += traced(x[i]);
    return s;
}

int strings_copy(const char *const *in, char **out, int n)
{
    for (int i = 0; i < n; i++) { // truth: sequential
        const size_t len = strlen(in[i]) + 1;
        out[i] = malloc(len);
        if (out[i] == NULL) {
            while (--i >= 0) // truth: sequential
                free(out[i]);
            return -1;
        }
        memcpy(out[i], in[i], len);
    }
    return 0;
}
