// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A module whose fields are pointers at file scope, set by an init function; helpers read and write through them.
#include <stdlib.h>
#include <string.h>

static double *height, *ground, *water, *scratch;
static int W, H;

#define CELL(f, x, y) ((f)[(y) * W + (x)])

static double level(int x, int y) { return CELL(ground, x, y) + CELL(water, x, y); }

static void outflow(int x, int y)
{
    double lowest = level(x, y);
    const double here = lowest;
    for (int k = 0; k < 4; k++) { // truth: parallel
        const int u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3);
        if (u < 0 || v < 0 || u >= W || v >= H)
            continue;
        if (level(u, v) < lowest)
            lowest = level(u, v);
    }
    CELL(scratch, x, y) = 0.25 * (here - lowest);
}

int terrain_init(int w, int h)
{
    const size_t n = (size_t)w * (size_t)h;
    double *all = calloc(4 * n, sizeof *all);
    if (all == NULL)
        return 0;
    height = all, ground = all + n, water = all + 2 * n, scratch = all + 3 * n;
    W = w, H = h;
    for (int y = 0; y < h; y++) // truth: parallel
        for (int x = 0; x < w; x++) // truth: parallel
            CELL(ground, x, y) = 0.01 * x + 0.002 * ((x * 31 + y * 17) % 23);
    return 1;
}

void terrain_rain(double amount)
{
    double *p = water;
    for (int left = W * H; left > 0; left--) // truth: parallel
        *p++ += amount;
}

void terrain_flow(void)
{
    for (int y = 0; y < H; y++) // truth: parallel
        for (int x = 0; x < W; x++) // truth: parallel
            outflow(x, y);
    for (int k = 0; k < W * H; k++) { // truth: parallel
        const double q = scratch[k] < water[k] ? scratch[k] : water[k];
        water[k] -= q;
        height[k] = ground[k] + water[k];
    }
}

/* The steepest way down from a point; the cells on the way are marked. */
int terrain_trace(int x, int y, unsigned char *mark)
{
    int n = 0;
    while (x + 1 < W && y + 1 < H && !mark[y * W + x]) { // truth: sequential
        mark[y * W + x] = 1;
        if (CELL(height, x + 1, y) < CELL(height, x, y + 1)) x++; else y++;
        n++;
    }
    return n;
}
