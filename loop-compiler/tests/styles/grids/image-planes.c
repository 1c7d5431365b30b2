// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Conversion of planar colour images and a gain on each plane, with the count of clipped samples.
#include <stdint.h>

typedef struct {
    int width, height;
    int pitch[3];
    unsigned char *plane[3];
} picture;

static inline unsigned char clip(int v)
{
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

int rgb_to_ycc(const picture *in, picture *out)
{
    if (in->width != out->width || in->height != out->height)
        return -1;
    for (int y = 0; y < in->height; y++) { // truth: parallel
        const unsigned char *r = in->plane[0] + y * in->pitch[0];
        const unsigned char *g = in->plane[1] + y * in->pitch[1];
        const unsigned char *b = in->plane[2] + y * in->pitch[2];
        unsigned char *oy = out->plane[0] + y * out->pitch[0];
        unsigned char *ob = out->plane[1] + y * out->pitch[1];
        unsigned char *or = out->plane[2] + y * out->pitch[2];
        for (int x = 0; x < in->width; x++) { // truth: parallel
            oy[x] = clip((66 * r[x] + 129 * g[x] + 25 * b[x] + 4224) >> 8);
            ob[x] = clip((-38 * r[x] - 74 * g[x] + 112 * b[x] + 32896) >> 8);
            or[x] = clip((112 * r[x] - 94 * g[x] - 18 * b[x] + 32896) >> 8);
        }
    }
    return 0;
}

long picture_gain(picture *p, const int gain[3])
{
    long clipped = 0;
    for (int c = 0; c < 3; c++) { // truth: parallel
        unsigned char *line = p->plane[c];
        for (int y = 0; y < p->height; y++) { // truth: parallel
            for (int x = 0; x < p->width; x++) { // truth: parallel
                const int v = line[x] * gain[c] / 64;
                clipped += v > 255;
                line[x] = clip(v);
            }
            line += p->pitch[c];
        }
    }
    return clipped;
}

/* Differences to the left neighbour, in place, from the left: each one needs the old neighbour. */
void plane_delta(unsigned char *line, int width)
{
    unsigned char left = 0;
    for (int x = 0; x < width; x++) { // truth: sequential
        unsigned char v = line[x];
        line[x] = (unsigned char)(v - left);
        left = v;
    }
}
