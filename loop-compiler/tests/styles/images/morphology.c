// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Thresholding, dilation and spreading in binary images.
#include <stddef.h>
#include <stdint.h>

typedef unsigned char pix;

struct bitmap { pix *p; int w, h, stride; };

#define AT(b, x, y) ((b)->p[(ptrdiff_t)(y) * (b)->stride + (x)])

void threshold16(const uint16_t *src, int sstride, struct bitmap *dst, uint16_t level)
{
    for (int y = 0; y < dst->h; y++) // truth: parallel
        for (int x = 0; x < dst->w; x++) // truth: parallel
            AT(dst, x, y) = src[(ptrdiff_t)y * sstride + x] > level ? 255 : 0;
}

/* A pixel is set if any neighbour is. */
void dilate(const struct bitmap *src, struct bitmap *dst)
{
    for (int y = 1; y < src->h - 1; y++) { // truth: parallel
        for (int x = 1; x < src->w - 1; x++) { // truth: parallel
            pix m = 0;
            for (int j = -1; j <= 1; j++) // truth: parallel
                for (int i = -1; i <= 1; i++) // truth: parallel
                    if (AT(src, x + i, y + j) > m)
                        m = AT(src, x + i, y + j);
            AT(dst, x, y) = m;
        }
    }
}

/* In place: what is set spreads on within the same pass. */
void spread(struct bitmap *b)
{
    for (int y = 1; y < b->h; y++) // truth: sequential
        for (int x = 1; x < b->w; x++) // truth: sequential
            if (!AT(b, x, y) && (AT(b, x - 1, y) & AT(b, x, y - 1)))
                AT(b, x, y) = (pix)(AT(b, x - 1, y) / 2 + 1);
}
