// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Converts RGB images to gray and finds their contrast.
#include <stddef.h>
#include <stdint.h>

struct image8 {
    uint8_t *data;
    int width, height;
    size_t stride;
    int channels;
};

int to_gray(const struct image8 *src, struct image8 *dst)
{
    if (src->channels < 3 || dst->channels != 1)
        return -1;
    if (src->width != dst->width || src->height != dst->height)
        return -2;

    for (int y = 0; y < src->height; y++) { // truth: parallel
        const uint8_t *s = src->data + y * src->stride;
        uint8_t *d = dst->data + y * dst->stride;
        for (int x = 0; x < src->width; x++) { // truth: parallel
            unsigned v = 77u * s[0] + 150u * s[1] + 29u * s[2];
            d[x] = (uint8_t)(v >> 8);
            s += src->channels;
        }
    }
    return 0;
}

/* Stretches the gray values to the full range. */
void stretch(struct image8 *img)
{
    int lo = 255, hi = 0;
    for (int y = 0; y < img->height; y++) { // truth: parallel
        const uint8_t *row = img->data + y * img->stride;
        for (int x = 0; x < img->width; x++) { // truth: parallel
            if (row[x] < lo) lo = row[x];
            if (row[x] > hi) hi = row[x];
        }
    }
    if (hi <= lo)
        return;
    const int range = hi - lo;
    for (int y = 0; y < img->height; y++) { // truth: parallel
        uint8_t *row = img->data + y * img->stride;
        for (int x = 0; x < img->width; x++) // truth: parallel
            row[x] = (uint8_t)((row[x] - lo) * 255 / range);
    }
}
