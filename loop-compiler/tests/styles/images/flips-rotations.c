// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Flips images in place and rotates them into other images.
#include <stddef.h>
#include <stdint.h>

typedef struct Bitmap {
    uint32_t *px;
    int width, height;
} Bitmap;

void FlipHorizontal(Bitmap *bm)
{
    for (int y = 0; y < bm->height; y++) // truth: parallel
    {
        uint32_t *left = bm->px + (size_t)y * bm->width;
        uint32_t *right = left + bm->width - 1;
        while (left < right) // truth: parallel
        {
            uint32_t t = *left;
            *left++ = *right;
            *right-- = t;
        }
    }
}

void FlipVertical(Bitmap *bm)
{
    const size_t w = (size_t)bm->width;
    for (int y = 0; y < bm->height / 2; y++) // truth: parallel
    {
        uint32_t *top = bm->px + y * w;
        uint32_t *bottom = bm->px + (size_t)(bm->height - 1 - y) * w;
        for (size_t x = 0; x < w; x++) // truth: parallel
        {
            uint32_t t = top[x];
            top[x] = bottom[x];
            bottom[x] = t;
        }
    }
}

/* Without a temporary row: the lower half copies rows that were replaced. */
void MirrorDown(Bitmap *bm)
{
    const size_t w = (size_t)bm->width;
    for (int y = 0; y < bm->height; y++) // truth: sequential
    {
        const uint32_t *from = bm->px + (size_t)(bm->height - 1 - y) * w;
        uint32_t *to = bm->px + y * w;
        for (size_t x = 0; x < w; x++) // truth: parallel
            to[x] = (from[x] & 0xfefefe) >> 1;
    }
}

int RotateRight(const Bitmap *src, Bitmap *dst)
{
    if (dst->width != src->height || dst->height != src->width)
        return -1;
    const uint32_t *s = src->px;
    for (int y = 0; y < src->height; y++) // truth: parallel
    {
        uint32_t *d = dst->px + (dst->width - 1 - y);
        for (int x = 0; x < src->width; x++) // truth: parallel
        {
            *d = *s++;
            d += dst->width;
        }
    }
    return 0;
}
