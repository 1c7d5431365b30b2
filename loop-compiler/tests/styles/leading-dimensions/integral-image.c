// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Integral image with byte pitches, box sums read from it, and a threshold against the local mean.
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;

/* sat has one more row and column than the image; its pitch is in elements. */
void integral(const u8 *img, int w, int h, size_t pitch, u32 *sat, size_t sat_pitch)
{
    for (int x = 0; x <= w; ++x) // truth: parallel
        sat[x] = 0;
    for (int y = 0; y < h; ++y) // truth: parallel
    {
        const u8 *in = img + y * pitch;
        u32 *out = sat + (y + 1) * sat_pitch;
        u32 run = 0;
        out[0] = 0;
        for (int x = 0; x < w; ++x) // truth: scan
        {
            run += in[x];
            out[x + 1] = run;
        }
    }
    for (int y = 1; y <= h; ++y) // truth: scan
    {
        for (int x = 0; x <= w; ++x) // truth: parallel
            sat[y * sat_pitch + x] += sat[(y - 1) * sat_pitch + x];
    }
}

static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

void local_threshold(const u8 *img, int w, int h, size_t pitch, const u32 *sat, size_t sp, int r, u8 *out)
{
    for (int y = 0; y < h; ++y) // truth: parallel
    {
        const int y0 = clampi(y - r, 0, h), y1 = clampi(y + r + 1, 0, h);
        for (int x = 0; x < w; ++x) // truth: parallel
        {
            const int x0 = clampi(x - r, 0, w), x1 = clampi(x + r + 1, 0, w);
            const u32 sum = sat[y1 * sp + x1] - sat[y0 * sp + x1] - sat[y1 * sp + x0] + sat[y0 * sp + x0];
            const u32 area = (u32)((y1 - y0) * (x1 - x0));
            out[y * pitch + x] = img[y * pitch + x] * area > sum ? 255 : 0;
        }
    }
}
