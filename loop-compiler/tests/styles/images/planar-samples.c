// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Moves 16-bit images between planar and interleaved layout and narrows them.
#include <stddef.h>
#include <stdint.h>

#define PLANES 3

typedef struct {
    uint16_t *plane[PLANES];
    size_t width, height;
    size_t pitch; /* in samples */
} planar16;

void interleave(const planar16 *img, uint16_t *out)
{
    for (size_t y = 0; y < img->height; y++) { // truth: parallel
        for (int p = 0; p < PLANES; p++) { // truth: parallel
            const uint16_t *in = img->plane[p] + y * img->pitch;
            uint16_t *o = out + y * img->width * PLANES + p;
            for (size_t x = 0; x < img->width; x++, o += PLANES) // truth: parallel
                *o = *in++;
        }
    }
}

void deinterleave(const uint16_t *in, planar16 *img)
{
    uint16_t *r = img->plane[0], *g = img->plane[1], *b = img->plane[2];
    const size_t w = img->width, skip = img->pitch - img->width;
    size_t rows = img->height;

    while (rows--) { // truth: parallel
        for (size_t x = w; x; x--) { // truth: parallel
            *r++ = *in++;
            *g++ = *in++;
            *b++ = *in++;
        }
        r += skip;
        g += skip;
        b += skip;
    }
}

/* Sixteen bits to eight, rounded, rows of the result without gaps. */
void narrow_plane(const uint16_t *in, size_t pitch, size_t w, size_t h, uint8_t *out)
{
    do { // truth: parallel
        if (h == 0)
            return;
        for (size_t x = 0; x < w; x++) // truth: parallel
            out[x] = (uint8_t)((in[x] * 255u + 32767u) / 65535u);
        in += pitch;
        out += w;
    } while (--h);
}

/* Predicts each sample from the left and stores the rest, modulo 65536. */
void residuals(const uint16_t *row, uint16_t *rest, size_t w)
{
    uint16_t left = 0;
    for (size_t x = 0; x < w; x++) { // truth: parallel
        rest[x] = (uint16_t)(row[x] - left);
        left = row[x];
    }
}
