// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Separable blur of a picture of float rows: weights, horizontal pass to a buffer, vertical pass back.
#include <math.h>
#include <stddef.h>

#define RADIUS 4
typedef float weights[2 * RADIUS + 1];

static void gaussian(weights w, float sigma)
{
    float total = 0.f;
    for (int k = -RADIUS; k <= RADIUS; ++k) // truth: parallel
    {
        w[k + RADIUS] = expf(-(float)(k * k) / (2.f * sigma * sigma));
        total += w[k + RADIUS];
    }
    for (int k = 0; k <= 2 * RADIUS; ++k) // truth: parallel
        w[k] /= total;
}

void blur(float **img, float **tmp, int width, int height, float sigma)
{
    weights w;
    if (sigma <= 0.f) return;
    gaussian(w, sigma);

    for (int y = 0; y < height; ++y) // truth: parallel
    {
        for (int x = 0; x < width; ++x) // truth: parallel
        {
            float s = 0.f;
            for (int k = -RADIUS; k <= RADIUS; ++k) // truth: parallel
            {
                int u = x + k;
                if (u < 0) u = 0;
                if (u >= width) u = width - 1;
                s += w[k + RADIUS] * img[y][u];
            }
            tmp[y][x] = s;
        }
    }
    for (int y = 0; y < height; ++y) // truth: parallel
    {
        for (int x = 0; x < width; ++x) // truth: parallel
        {
            float s = 0.f;
            for (int k = -RADIUS; k <= RADIUS; ++k) // truth: parallel
            {
                int v = y + k < 0 ? 0 : y + k >= height ? height - 1 : y + k;
                s += w[k + RADIUS] * tmp[v][x];
            }
            img[y][x] = s;
        }
    }
}
