// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Helpers that return structs: interval arithmetic, row summaries, merged summaries, polar coordinates.
#include <float.h>
#include <math.h>
#include <stddef.h>

typedef struct { double lo, hi; } interval;
typedef struct { double sum, min, max; size_t at; } summary;

static interval iv_mul(interval a, interval b)
{
    const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    return (interval){ fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)) };
}

static interval iv_add(interval a, interval b) { return (interval){ a.lo + b.lo, a.hi + b.hi }; }

static summary summarize(const double *row, size_t n)
{
    summary s = { 0.0, DBL_MAX, -DBL_MAX, 0 };
    for (size_t i = 0; i < n; i++) { // truth: parallel
        s.sum += row[i];
        if (row[i] < s.min) s.min = row[i];
        if (row[i] > s.max) { s.max = row[i]; s.at = i; }
    }
    return s;
}

void iv_products(const interval *a, const interval *b, interval *out, size_t n)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        out[i] = iv_mul(a[i], b[i]);
}

interval iv_dot(const interval *a, const interval *b, size_t n)
{
    interval acc = { 0.0, 0.0 };
    for (size_t i = 0; i < n; i++) // truth: parallel
        acc = iv_add(acc, iv_mul(a[i], b[i]));
    return acc;
}

/* Values of a polynomial with interval coefficients; the result is used in the next product. */
interval iv_horner(const interval *c, size_t n, interval x)
{
    interval r = { 0.0, 0.0 };
    for (size_t i = n; i-- > 0;) // truth: sequential
        r = iv_add(iv_mul(r, x), c[i]);
    return r;
}

double summarize_rows(const double *m, size_t rows, size_t cols, size_t ld, summary *out)
{
    double total = 0.0;
    for (size_t r = 0; r < rows; r++) { // truth: parallel
        out[r] = summarize(m + r * ld, cols);
        total += out[r].sum;
    }
    return total;
}
