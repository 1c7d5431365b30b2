// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Extracts and corrects one channel of interleaved sensor readings.
#include <math.h>
#include <stddef.h>

#define MAX_CHANNELS 16

struct frame_set {
    float *values;  /* frames * channels readings */
    size_t frames;
    unsigned channels;
};

int extract_channel(const struct frame_set *set, unsigned channel, float *out)
{
    if (channel >= set->channels)
        return -1;
    const float *p = set->values + channel;
    const unsigned step = set->channels;
    for (size_t i = 0; i < set->frames; i++, p += step) // truth: parallel
        *out++ = *p;
    return 0;
}

int remove_offset(struct frame_set *set, unsigned channel)
{
    const size_t n = set->frames;
    const unsigned step = set->channels;
    float mean = 0.0f;

    if (channel >= step || n == 0)
        return -1;
    float *p = set->values + channel;
    for (size_t i = n; i > 0; i--) { // truth: parallel
        mean += *p;
        p += step;
    }
    mean /= (float)n;

    p = set->values + channel;
    for (size_t i = n; i > 0; i--) { // truth: parallel
        *p -= mean;
        p += step;
    }
    return 0;
}

/* Limits how fast a reading may change from one frame to the next. */
void limit_slew(float *p, size_t n, ptrdiff_t step, float most)
{
    if (n == 0)
        return;
    float last = *p;
    while (--n) { // truth: sequential
        p += step;
        float change = *p - last;
        if (fabsf(change) > most)
            *p = last + copysignf(most, change);
        last = *p;
    }
}
