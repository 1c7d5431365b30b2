// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Distance to the nearest set pixel: chamfer passes over int rows, then the count of pixels near the set.
#include <limits.h>

#define FAR (INT_MAX / 4)

static inline int imin(int a, int b) { return a < b ? a : b; }

void chamfer(int **d, unsigned char *const *img, int h, int w)
{
    for (int y = 0; y < h; y++) // truth: parallel
        for (int x = 0; x < w; x++) // truth: parallel
            d[y][x] = img[y][x] ? 0 : FAR;

    for (int y = 1; y < h; y++) // truth: sequential
        for (int x = 1; x < w - 1; x++) { // truth: sequential
            int v = d[y][x];
            v = imin(v, d[y][x - 1] + 3);
            v = imin(v, d[y - 1][x] + 3);
            v = imin(v, d[y - 1][x - 1] + 4);
            d[y][x] = imin(v, d[y - 1][x + 1] + 4);
        }
    for (int y = h - 2; y >= 0; y--) // truth: sequential
        for (int x = 1; x < w - 1; x++) { // truth: parallel
            int v = imin(d[y][x], d[y + 1][x] + 3);
            v = imin(v, d[y + 1][x - 1] + 4);
            d[y][x] = imin(v, d[y + 1][x + 1] + 4);
        }
}

long near_pixels(int **d, int h, int w, int limit)
{
    long n = 0;
    for (int y = 0; y < h; y++) { // truth: parallel
        int *r = d[y];
        for (int x = 0; x < w; x++) { // truth: parallel
            r[x] = imin(r[x], limit);
            if (r[x] < limit)
                ++n;
        }
    }
    return n;
}
