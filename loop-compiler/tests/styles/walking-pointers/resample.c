// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Doubles and halves the rate of a signal.
#include <stddef.h>

typedef float sample_t;

void upsample_hold(const sample_t *src, size_t n, sample_t *dst)
{
    const sample_t *end = src + n;
    while (src < end) { // truth: parallel
        sample_t v = *src++;
        *dst++ = v;
        *dst++ = v;
    }
}

void upsample_linear(const sample_t *src, size_t n, sample_t *dst)
{
    if (n == 0)
        return;
    while (--n) { // truth: parallel
        dst[0] = src[0];
        dst[1] = 0.5f * (src[0] + src[1]);
        dst += 2;
        ++src;
    }
    dst[0] = dst[1] = src[0];
}

void downsample(const sample_t *src, size_t n, sample_t *dst)
{
    for (size_t i = n / 2; i != 0; --i) { // truth: parallel
        *dst = (src[0] + src[1]) * 0.5f;
        src += 2;
        ++dst;
    }
}

/* In place: element k is read by step k / 2 and written by step k. */
void downsample_in_place(sample_t *buf, size_t n)
{
    sample_t *w = buf;
    const sample_t *r = buf;
    for (size_t i = 0; i < n / 2; ++i, r += 2) // truth: sequential
        *w++ = (r[0] + r[1]) * 0.5f;
}

/* A rate for every output value: the read position adds up the rates. */
size_t resample_nearest(const sample_t *src, const sample_t *end, sample_t *dst,
                        const unsigned *rate, unsigned unit)
{
    sample_t *const start = dst;
    unsigned phase = 0;

    if (unit == 0)
        return 0;
    while (src < end && *rate != 0) { // truth: sequential
        *dst++ = *src;
        phase += *rate++;
        if (phase / unit >= (size_t)(end - src))
            break;
        src += phase / unit;
        phase %= unit;
    }
    return (size_t)(dst - start);
}
