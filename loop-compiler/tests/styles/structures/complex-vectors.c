// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Vectors of complex numbers as structs: product, conjugated dot product, rotation, powers, largest modulus.
#include <math.h>
#include <stddef.h>

typedef struct cplx { double re, im; } cplx;

static inline cplx c_mul(cplx a, cplx b)
{
    cplx r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}

static inline cplx c_conj(cplx a) { a.im = -a.im; return a; }

void cv_mul(size_t n, const cplx *a, const cplx *b, cplx *out)
{
    for (size_t i = 0; i < n; ++i) // truth: parallel
        out[i] = c_mul(a[i], b[i]);
}

cplx cv_dotc(size_t n, const cplx *a, const cplx *b)
{
    cplx s = { 0.0, 0.0 };
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        const cplx t = c_mul(c_conj(a[i]), b[i]);
        s.re += t.re;
        s.im += t.im;
    }
    return s;
}

/* out[k] = exp(i * k * step) by repeated multiplication. */
void cv_phasors(size_t n, double step, cplx *out)
{
    cplx w = { cos(step), sin(step) }, p = { 1.0, 0.0 };
    for (size_t k = 0; k < n; ++k) { // truth: scan
        out[k] = p;
        p = c_mul(p, w);
    }
}

void cv_phasors_direct(size_t n, double step, cplx *out)
{
    for (size_t k = 0; k < n; ++k) { // truth: parallel
        const double angle = step * (double)k;
        out[k] = (cplx){ cos(angle), sin(angle) };
    }
}

/* z = z * z + c for each element until it leaves the circle. */
void cv_escape(size_t n, const cplx *c, int *count, int limit)
{
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        cplx z = c[i];
        int k = 0;
        while (k < limit && z.re * z.re + z.im * z.im < 4.0) { // truth: sequential
            z = c_mul(z, z);
            z.re += c[i].re;
            z.im += c[i].im;
            ++k;
        }
        count[i] = k;
    }
}
