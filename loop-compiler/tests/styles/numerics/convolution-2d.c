// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Two-dimensional convolution with an odd kernel, zero outside, several filters, and an unsharp mask in place.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int r; const float *k; } filter; /* (2r + 1) squared values */

static float tap(const float *img, int w, int h, int x, int y)
{
    return x >= 0 && y >= 0 && x < w && y < h ? img[y * w + x] : 0.0f;
}

static float convolve_at(const float *img, int w, int h, int x, int y, const filter *f)
{
    const float *k = f->k;
    float s = 0.0f;
    for (int v = -f->r; v <= f->r; v++) // truth: parallel
        for (int u = -f->r; u <= f->r; u++) // truth: parallel
            s += *k++ * tap(img, w, h, x + u, y + v);
    return s;
}

bool convolve_bank(const float *img, int w, int h, const filter *f, int filters, float *out)
{
    if (!img || !out || w <= 0 || h <= 0)
        return false;
    for (int q = 0; q < filters; q++) // truth: parallel
        for (int y = 0; y < h; y++) // truth: parallel
            for (int x = 0; x < w; x++) // truth: parallel
                out[((size_t)q * h + y) * w + x] = convolve_at(img, w, h, x, y, &f[q]);
    return true;
}

bool unsharp(float *img, int w, int h, const filter *f, float amount)
{
    const size_t bytes = sizeof(float) * (size_t)w * (size_t)h;
    float *copy = malloc(bytes);
    if (!copy)
        return false;
    memcpy(copy, img, bytes);
    for (int i = 0; i < w * h; i++) // truth: parallel
        img[i] += amount * (copy[i] - convolve_at(copy, w, h, i % w, i / w, f));
    free(copy);
    return true;
}

/* Without a copy: a pixel sees the pixels above it after their change. */
void unsharp_quick(float *img, int w, int h, const filter *f, float amount)
{
    for (int y = 0; y < h; y++) // truth: sequential
        for (int x = 0; x < w; x++) // truth: sequential
            img[y * w + x] += amount * (img[y * w + x] - convolve_at(img, w, h, x, y, f));
}
