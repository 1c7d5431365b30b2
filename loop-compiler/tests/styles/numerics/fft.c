// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Radix-2 transform of complex data: bit reversal, passes with a running twiddle factor or with a table, scaling.
#include <math.h>
#include <stddef.h>

typedef struct { double re, im; } cpx;

static void bit_reverse(cpx *x, size_t n)
{
    size_t j = 0;
    for (size_t i = 0; i + 1 < n; i++) { // truth: sequential
        if (i < j) {
            cpx t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        size_t m = n >> 1;
        while (m >= 1 && j & m) { // truth: sequential
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
}

static inline void butterfly(cpx *a, cpx *b, double wr, double wi)
{
    const double tr = wr * b->re - wi * b->im, ti = wr * b->im + wi * b->re;
    b->re = a->re - tr;
    b->im = a->im - ti;
    a->re += tr;
    a->im += ti;
}

/* table[k] = exp(-2 pi i k / n) for k < n / 2 */
int fft(cpx *x, size_t n, const cpx *table)
{
    if (n == 0 || (n & (n - 1)) != 0)
        return -1;
    bit_reverse(x, n);
    for (size_t half = 1; half < n; half *= 2) { // truth: sequential
        const size_t stride = n / (2 * half);
        for (size_t base = 0; base < n; base += 2 * half) // truth: parallel
            for (size_t k = 0; k < half; k++) // truth: parallel
                butterfly(&x[base + k], &x[base + k + half], table[k * stride].re, table[k * stride].im);
    }
    return 0;
}

void fft_table(cpx *table, size_t n)
{
    const double c = cos(6.283185307179586 / (double)n), s = -sin(6.283185307179586 / (double)n);
    double wr = 1.0, wi = 0.0;
    for (size_t k = 0; k < n / 2; k++) { // truth: scan
        table[k].re = wr;
        table[k].im = wi;
        const double t = wr * c - wi * s;
        wi = wr * s + wi * c;
        wr = t;
    }
}

void fft_scale(cpx *x, size_t n)
{
    for (cpx *p = x; p != x + n; p++) // truth: parallel
        p->re /= (double)n, p->im /= (double)n;
}
