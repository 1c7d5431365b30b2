// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blocks of samples through structs with state: delay line, envelope follower, biquad, mixer, peak meter.
#include <math.h>
#include <stddef.h>

typedef struct { float *buf; unsigned mask, pos; } delay_t;
typedef struct { float attack, release, level; } follower_t;
typedef struct { float b0, b1, b2, a1, a2, z1, z2; } biquad_t;
typedef struct { const float *in; float gain, pan; } channel_t;

void delay_run(delay_t *d, float *x, size_t n, float feedback)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        const float y = d->buf[d->pos & d->mask];
        d->buf[d->pos++ & d->mask] = x[i] + feedback * y;
        x[i] = y;
    }
}

float follower_run(follower_t *f, const float *x, float *env, size_t n)
{
    for (size_t i = 0; i < n; i++) { // truth: sequential
        const float a = fabsf(x[i]);
        f->level += (a > f->level ? f->attack : f->release) * (a - f->level);
        env[i] = f->level;
    }
    return f->level;
}

void biquad_run(biquad_t *q, const float *x, float *y, size_t n)
{
    for (size_t i = 0; i < n; i++) { // truth: scan
        const float v = q->b0 * x[i] + q->z1;
        q->z1 = q->b1 * x[i] - q->a1 * v + q->z2;
        q->z2 = q->b2 * x[i] - q->a2 * v;
        y[i] = v;
    }
}

/* Returns the peak of the two outputs. */
float mix_channels(const channel_t *c, int count, float *left, float *right, size_t n)
{
    float peak = 0.0f;
    for (size_t i = 0; i < n; i++) { // truth: parallel
        float l = 0.0f, r = 0.0f;
        for (int k = 0; k < count; k++) { // truth: parallel
            const float v = c[k].gain * c[k].in[i];
            l += v * (1.0f - c[k].pan);
            r += v * c[k].pan;
        }
        left[i] = l;
        right[i] = r;
        peak = fmaxf(peak, fmaxf(fabsf(l), fabsf(r)));
    }
    return peak;
}

void bank_run(biquad_t *bank, int bands, const float *x, float *out, size_t n)
{
    for (int b = 0; b < bands; b++) // truth: parallel
        biquad_run(&bank[b], x, out + (size_t)b * n, n);
}
