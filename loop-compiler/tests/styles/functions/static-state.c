// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Helpers that keep a static variable: dither, a smoother, a ticket counter, and one with a constant table only.
#include <math.h>
#include <stdint.h>

static float dither(float v)
{
    static float error = 0.0f;
    const float want = v + error, got = floorf(want + 0.5f);
    error = want - got;
    return got;
}

static unsigned ticket(void)
{
    static unsigned last;
    return ++last;
}

static float gamma_of(uint8_t v)
{
    static const float exponent[2] = { 2.2f, 1.8f };
    return powf(v / 255.0f, exponent[v & 1]);
}

static int rises(float v)
{
    static float before;
    const int r = v > before;
    before = v;
    return r;
}

void quantize(const float *in, int8_t *out, int n)
{
    for (int i = 0; i < n; ++i) // truth: sequential
        out[i] = (int8_t)dither(in[i]);
}

void linearize(const uint8_t *in, float *out, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        out[i] = gamma_of(in[i]);
}

void number(unsigned *id, const float *score, int n)
{
    for (int i = 0; i < n; ++i) // truth: sequential
        if (score[i] > 0.5f)
            id[i] = ticket();
}

int count_rises(const float *v, int n)
{
    int c = 0;
    for (int i = 0; i < n; ++i) // truth: sequential
        c += rises(v[i]);
    return c;
}

int count_rises_pure(const float *v, int n)
{
    int c = 0;
    for (int i = 1; i < n; ++i) // truth: parallel
        c += v[i] > v[i - 1];
    return c;
}
