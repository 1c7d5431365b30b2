// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Blends two RGBA surfaces, row by row, with walking pointers.
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *pixels;
    int width, height;
    ptrdiff_t pitch; /* bytes from one row to the next */
} surface;

static inline uint8_t mix(uint8_t below, uint8_t above, unsigned alpha)
{
    return (uint8_t)((below * (255u - alpha) + above * alpha + 127u) / 255u);
}

static void blend_row(uint8_t *dst, const uint8_t *src, int width)
{
    const uint8_t *end = src + 4 * (size_t)width;

    while (src != end) { // truth: parallel
        unsigned alpha = src[3];
        dst[0] = mix(dst[0], src[0], alpha);
        dst[1] = mix(dst[1], src[1], alpha);
        dst[2] = mix(dst[2], src[2], alpha);
        dst[3] = (uint8_t)(alpha + dst[3] * (255u - alpha) / 255u);
        dst += 4;
        src += 4;
    }
}

int surface_blend(const surface *to, const surface *from)
{
    if (to->width != from->width || to->height != from->height)
        return -1;

    uint8_t *d = to->pixels;
    const uint8_t *s = from->pixels;
    const int width = to->width, height = to->height;
    const ptrdiff_t dpitch = to->pitch, spitch = from->pitch;

    for (int y = 0; y < height; y++) { // truth: parallel
        blend_row(d, s, width);
        d += dpitch;
        s += spitch;
    }
    return 0;
}
