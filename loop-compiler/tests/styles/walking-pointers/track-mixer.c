// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Mixes audio tracks into one 16-bit stream.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct Track {
    const float *samples;
    float gain;
    int muted;
};

static int16_t toInt16(float v)
{
    v *= 32767.0f;
    if (v > 32767.0f) return 32767;
    if (v < -32768.0f) return -32768;
    return (int16_t)v;
}

void mixTracks(const struct Track *tracks, int nTracks, float *bus, size_t nSamples)
{
    memset(bus, 0, nSamples * sizeof(float));
    for (const struct Track *t = tracks; t < tracks + nTracks; ++t) { // truth: parallel
        if (t->muted)
            continue;
        const float *in = t->samples;
        const float gain = t->gain;
        float *out = bus;
        for (size_t i = 0; i < nSamples; ++i) // truth: parallel
            *out++ += gain * *in++;
    }
}

void convertBus(const float *bus, int16_t *out, size_t nSamples)
{
    const float *end = bus + nSamples;
    do { // truth: parallel
        if (bus >= end)
            break;
        *out++ = toInt16(*bus++);
    } while (1);
}

/* The tracks are ducked one after the other: each is limited by the sum so far. */
void mixLimited(const struct Track *tracks, int nTracks, float *bus, size_t nSamples)
{
    for (int t = 0; t < nTracks; ++t) { // truth: sequential
        const float *in = tracks[t].samples;
        for (float *out = bus; out != bus + nSamples; ++out) { // truth: parallel
            float v = *out + *in++;
            *out = v > 1.0f ? 1.0f : v;
        }
    }
}
