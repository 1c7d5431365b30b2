// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A vector type that is passed by value: arithmetic, norms, normalized copy, differences, moving average.
#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct { long len; double *v; } vect;

static vect vect_tail(vect a, long from) { return (vect){ a.len - from, a.v + from }; }

void vect_lincomb(double p, vect a, double q, vect b, vect out)
{
    assert(a.len == b.len && a.len == out.len);
    for (long i = 0; i < out.len; i++) // truth: parallel
        out.v[i] = p * a.v[i] + q * b.v[i];
}

double vect_normalize(vect a, vect out)
{
    double s = 0;
    for (long i = 0; i < a.len; i++) // truth: parallel
        s += a.v[i] * a.v[i];
    s = sqrt(s);
    if (s == 0) {
        memset(out.v, 0, sizeof(double) * (size_t)out.len);
        return 0;
    }
    for (long i = 0; i < a.len; i++) // truth: parallel
        out.v[i] = a.v[i] / s;
    return s;
}

/* Both views belong to the same vector: t.v[i] is a.v[i + 1]. */
void vect_smooth(vect a, double w)
{
    vect t = vect_tail(a, 1);
    for (long i = 0; i < t.len; i++) // truth: scan
        t.v[i] = (1 - w) * t.v[i] + w * a.v[i];
}

void vect_difference(vect a)
{
    vect t = vect_tail(a, 1);
    for (long i = 0; i < t.len; i++) // truth: sequential
        a.v[i] = t.v[i] - a.v[i];
}

/* First half plus second half, in place. */
vect vect_fold(vect a)
{
    const long h = a.len / 2;
    vect t = vect_tail(a, h);
    for (long i = 0; i < h; i++) // truth: parallel
        a.v[i] += t.v[i];
    a.len = h;
    return a;
}
