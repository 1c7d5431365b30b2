// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Scales images: nearest pixel, bilinear, and by halves.
#include <stddef.h>
#include <stdint.h>

/* 16.16 fixed-point positions that advance by a constant step. */
void scale_nearest(const uint32_t *src, int sw, int sh, uint32_t *dst, int dw, int dh)
{
    if (sw <= 0 || sh <= 0 || dw <= 0 || dh <= 0)
        return;
    const uint32_t xstep = ((uint32_t)sw << 16) / (uint32_t)dw;
    const uint32_t ystep = ((uint32_t)sh << 16) / (uint32_t)dh;
    uint32_t fy = 0;
    for (int y = 0; y < dh; y++) { // truth: parallel
        const uint32_t *row = src + (size_t)(fy >> 16) * sw;
        uint32_t fx = 0;
        for (int x = 0; x < dw; x++) { // truth: parallel
            *dst++ = row[fx >> 16];
            fx += xstep;
        }
        fy += ystep;
    }
}

void scale_bilinear(const float *src, int sw, int sh, float *dst, int dw, int dh)
{
    if (sw < 2 || sh < 2 || dw < 2 || dh < 2)
        return;
    for (int y = 0; y < dh; y++) { // truth: parallel
        float v = (float)y * (float)(sh - 1) / (float)(dh - 1);
        int j = (int)v < sh - 1 ? (int)v : sh - 2;
        float b = v - (float)j;
        const float *r0 = src + (size_t)j * sw, *r1 = r0 + sw;
        for (int x = 0; x < dw; x++) { // truth: parallel
            float u = (float)x * (float)(sw - 1) / (float)(dw - 1);
            int i = (int)u < sw - 1 ? (int)u : sw - 2;
            float a = u - (float)i;
            float top = r0[i] + a * (r0[i + 1] - r0[i]);
            float bottom = r1[i] + a * (r1[i + 1] - r1[i]);
            dst[(size_t)y * dw + x] = top + b * (bottom - top);
        }
    }
}

static void halve(const float *src, float *dst, int w, int h)
{
    for (int y = 0; y < h / 2; y++) // truth: parallel
        for (int x = 0; x < w / 2; x++) { // truth: parallel
            const float *p = src + (size_t)(2 * y) * w + 2 * x;
            dst[(size_t)y * (w / 2) + x] = 0.25f * (p[0] + p[1] + p[w] + p[w + 1]);
        }
}

/* All levels behind each other; each level comes from the one before it. */
size_t build_pyramid(float *levels, int w, int h)
{
    float *cur = levels;
    while (w > 1 && h > 1) { // truth: sequential
        float *next = cur + (size_t)w * h;
        halve(cur, next, w, h);
        cur = next;
        w /= 2;
        h /= 2;
    }
    return (size_t)(cur - levels) + (size_t)w * h;
}
