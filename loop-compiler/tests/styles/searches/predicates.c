// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Checks whether any or all elements of a sequence satisfy a condition.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define is_bad(v) (isnan(v) || isinf(v))

bool any_bad(const float *v, size_t n)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        if (is_bad(v[i]))
            return true;
    return false;
}

int all_positive(const float *v, size_t n)
{
    int all = 1;
    for (size_t i = 0; i < n; i++) // truth: parallel
        all &= v[i] > 0.0f;
    return all;
}

/* Never leaves early: the flag only goes from 0 to 1. */
int has_overlap(const int *from, const int *to, int n, int lo, int hi)
{
    int found = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        if (from[i] < hi && to[i] > lo)
            found = 1;
    }
    return found;
}

bool is_identity(const double *m, int n)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) // truth: parallel
        for (int j = 0; j < n && ok; j++) // truth: parallel
            ok = m[i * n + j] == (i == j ? 1.0 : 0.0);
    return ok;
}

/* Writes a line for each bad value. */
size_t report_bad(const float *v, size_t n, FILE *to)
{
    size_t bad = 0;
    for (size_t i = 0; i < n; i++) { // truth: sequential
        if (!is_bad(v[i]))
            continue;
        fprintf(to, "value %zu is %g\n", i, (double)v[i]);
        bad++;
    }
    return bad;
}

/* Steps that agree with the state so far; the state changes with each one. */
bool valid_moves(const int *move, int n, int places)
{
    int at = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        at = move[i] < 0 ? (at + places - 1) % places : at + move[i];
        if (at >= places)
            return false;
    }
    return true;
}
