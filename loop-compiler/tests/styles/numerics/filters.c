// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Digital filters: FIR, first and second order recursive, saturating integer filter, feed-forward echo, decimation.
#include <stddef.h>
#include <stdint.h>

void fir(const float *restrict x, float *restrict y, size_t n, const float *h, size_t taps)
{
    for (size_t i = 0; i + taps <= n; i++) { // truth: parallel
        float acc = 0.0f;
        for (size_t k = 0; k < taps; k++) // truth: parallel
            acc += h[k] * x[i + taps - 1 - k];
        y[i] = acc;
    }
}

void one_pole(const float *x, float *y, size_t n, float a)
{
    float s = 0.0f;
    for (size_t i = 0; i < n; i++) { // truth: scan
        s = a * s + (1.0f - a) * x[i];
        y[i] = s;
    }
}

void resonator(const float *x, float *y, size_t n, float c1, float c2)
{
    for (size_t i = 2; i < n; i++) // truth: scan
        y[i] = x[i] + c1 * y[i - 1] - c2 * y[i - 2];
}

/* Integer filter with saturation in the loop. */
void dc_block(int16_t *x, size_t n)
{
    int32_t last_in = 0, last_out = 0;
    for (size_t i = 0; i < n; i++) { // truth: sequential
        int32_t v = x[i] - last_in + last_out * 255 / 256;
        if (v > INT16_MAX) v = INT16_MAX;
        if (v < INT16_MIN) v = INT16_MIN;
        last_in = x[i];
        last_out = v;
        x[i] = (int16_t)v;
    }
}

/* y[i] = x[i] + echo of x: feed-forward, so nothing that is written is read. */
void comb_forward(const float *x, float *y, size_t n, size_t lag, float g)
{
    for (size_t i = 0; i < n; i++) // truth: parallel
        y[i] = x[i] + (i >= lag ? g * x[i - lag] : 0.0f);
}

size_t decimate(const float *x, float *y, size_t n, size_t by)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i += by) // truth: parallel
        y[k++] = x[i];
    return k;
}

size_t zero_crossings(const float *x, size_t n, size_t *at)
{
    size_t k = 0;
    for (size_t i = 1; i < n; i++) // truth: scan
        if ((x[i] < 0.0f) != (x[i - 1] < 0.0f))
            at[k++] = i;
    return k;
}
