// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Filters whose helper collects a window into a local array: median, trimmed mean, local contrast.
#include <math.h>
#include <string.h>

#define K 3
#define K2 (K * K)

static float median9(const float *img, int stride)
{
    float w[K2];
    for (int k = 0; k < K2; k++) // truth: parallel
        w[k] = img[(k / K - 1) * stride + k % K - 1];
    for (int i = 1; i < K2; i++) { // truth: sequential
        const float v = w[i];
        int j = i;
        for (; j > 0 && w[j - 1] > v; j--) // truth: sequential
            w[j] = w[j - 1];
        w[j] = v;
    }
    return w[K2 / 2];
}

static float contrast(const float *p, int stride)
{
    float lo = p[0], hi = p[0];
    for (int k = 0; k < K2; k++) { // truth: parallel
        const float v = p[(k / K - 1) * stride + k % K - 1];
        lo = fminf(lo, v);
        hi = fmaxf(hi, v);
    }
    return hi - lo;
}

void despeckle(const float *in, float *out, int w, int h, float threshold)
{
    memcpy(out, in, sizeof(float) * (size_t)w * (size_t)h);
    for (int y = 1; y < h - 1; y++) { // truth: parallel
        for (int x = 1; x < w - 1; x++) { // truth: parallel
            const float *p = in + y * w + x;
            if (contrast(p, w) > threshold)
                out[y * w + x] = median9(p, w);
        }
    }
}

/* In place: the median of a pixel sees the pixels that were changed before it. */
void despeckle_in_place(float *img, int w, int h)
{
    for (int y = 1; y < h - 1; y++) // truth: sequential
        for (int x = 1; x < w - 1; x++) // truth: sequential
            img[y * w + x] = median9(img + y * w + x, w);
}
