// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pixels as a union of one word and four channels: swap of channels, blending, histogram, palette lookup.
#include <stddef.h>
#include <stdint.h>

typedef union {
    uint32_t word;
    struct { uint8_t r, g, b, a; } c;
} pixel;

typedef struct { pixel *p; int w, h, stride; } bitmap;

void bitmap_swap_rb(bitmap *m)
{
    for (int y = 0; y < m->h; y++) { // truth: parallel
        pixel *row = m->p + (ptrdiff_t)y * m->stride;
        for (int x = 0; x < m->w; x++) { // truth: parallel
            const uint8_t t = row[x].c.r;
            row[x].c.r = row[x].c.b;
            row[x].c.b = t;
        }
    }
}

static inline uint8_t mix(unsigned s, unsigned d, unsigned a) { return (uint8_t)((s * a + d * (255 - a)) / 255); }

static inline void over(const pixel *s, pixel *d)
{
    d->c.r = mix(s->c.r, d->c.r, s->c.a);
    d->c.g = mix(s->c.g, d->c.g, s->c.a);
    d->c.b = mix(s->c.b, d->c.b, s->c.a);
}

/* The picture s must fit into d at (x0, y0). */
void bitmap_blend(const bitmap *s, bitmap *d, int x0, int y0)
{
    for (int y = 0; y < s->h; y++) // truth: parallel
        for (int x = 0; x < s->w; x++) // truth: parallel
            over(&s->p[y * s->stride + x], &d->p[(y + y0) * d->stride + x + x0]);
}

unsigned bitmap_luma(const bitmap *m, unsigned hist[256])
{
    unsigned darkest = 255;
    for (int i = 0; i < m->w * m->h; i++) { // truth: parallel
        const pixel q = m->p[i / m->w * m->stride + i % m->w];
        const unsigned l = (q.c.r * 54u + q.c.g * 183u + q.c.b * 19u) >> 8;
        hist[l]++;
        darkest = l < darkest ? l : darkest;
    }
    return darkest;
}

/* A transparent pixel takes the colour of the pixel before it. */
void bitmap_bleed(bitmap *m)
{
    for (int y = 0; y < m->h; y++) // truth: parallel
        for (int x = 1; x < m->w; x++) // truth: sequential
            if (m->p[y * m->stride + x].c.a == 0)
                m->p[y * m->stride + x].word = m->p[y * m->stride + x - 1].word;
}
