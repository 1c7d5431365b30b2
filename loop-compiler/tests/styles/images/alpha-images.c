// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Premultiplies, composes and keys images with an alpha channel.
#include <stddef.h>
#include <stdint.h>

typedef uint32_t argb; /* 0xAARRGGBB */

static inline unsigned div255(unsigned v)
{
    v += 128;
    return (v + (v >> 8)) >> 8;
}

void premultiply(argb *px, size_t n)
{
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        argb p = px[i];
        unsigned a = p >> 24;
        if (a == 255)
            continue;
        if (a == 0) {
            px[i] = 0;
            continue;
        }
        unsigned r = div255((p >> 16 & 0xff) * a);
        unsigned g = div255((p >> 8 & 0xff) * a);
        unsigned b = div255((p & 0xff) * a);
        px[i] = a << 24 | r << 16 | g << 8 | b;
    }
}

static argb over(argb top, argb below)
{
    unsigned inv = 255 - (top >> 24);
    argb out = 0;
    for (int shift = 0; shift < 32; shift += 8) { // truth: parallel
        unsigned t = top >> shift & 0xff, b = below >> shift & 0xff;
        unsigned v = t + div255(b * inv);
        out |= (v > 255 ? 255u : v) << shift;
    }
    return out;
}

/* Composes the sprite onto the canvas at (x0, y0); the rest is cut off. */
void draw_sprite(argb *canvas, int cw, int ch, const argb *sprite, int sw, int sh, int x0, int y0)
{
    for (int y = 0; y < sh; y++) { // truth: parallel
        if (y0 + y < 0 || y0 + y >= ch)
            continue;
        for (int x = 0; x < sw; x++) { // truth: parallel
            if (x0 + x < 0 || x0 + x >= cw)
                continue;
            argb *d = &canvas[(size_t)(y0 + y) * cw + x0 + x];
            *d = over(sprite[(size_t)y * sw + x], *d);
        }
    }
}

struct placed { const argb *px; int w, h, x, y; };

/* Back to front: sprites that overlap must keep their order. */
void draw_all(argb *canvas, int cw, int ch, const struct placed *s, int count)
{
    for (int i = 0; i < count; i++) // truth: sequential
        draw_sprite(canvas, cw, ch, s[i].px, s[i].w, s[i].h, s[i].x, s[i].y);
}
