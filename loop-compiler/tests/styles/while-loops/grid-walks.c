// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Nested loops with hand-written counters over a grid of heights.
#include <stddef.h>

struct grid {
  int w, h;
  short *z;
};

void grid_transpose(const struct grid *g, short *out) {
  int y = 0;
  while (y < g->h) { // truth: parallel
    int x = 0;
    while (x < g->w) { // truth: parallel
      out[x * g->h + y] = g->z[y * g->w + x];
      x++;
    }
    y++;
  }
}

/* The border and cells without data are left out. */
long grid_roughness(const struct grid *g) {
  long sum = 0;
  int y = 0;
  while (++y < g->h - 1) { // truth: parallel
    const short *row = g->z + (size_t)y * g->w;
    int x = 0;
    while (++x < g->w - 1) { // truth: parallel
      if (row[x] < 0)
        continue;
      int d = row[x + 1] - 2 * row[x] + row[x - 1];
      if (d < 0)
        d = -d;
      sum += d;
    }
  }
  return sum;
}

/* Water level from left to right: never falls below the highest cell so far. */
void grid_levels(const struct grid *g, short *level) {
  int y = g->h;
  while (y--) { // truth: parallel
    short top = 0;
    int x = 0;
    while (x < g->w) { // truth: scan
      size_t at = (size_t)y * g->w + x++;
      if (g->z[at] > top)
        top = g->z[at];
      level[at] = top;
    }
  }
}

/* Fills holes with the cell on the left, which may have been a hole itself. */
int grid_fill_holes(struct grid *g) {
  int filled = 0, at = 1;
  while (at < g->w * g->h) { // truth: sequential
    if (g->z[at] < 0) {
      g->z[at] = (short)((g->z[at - 1] + 1) / 2);
      filled++;
    }
    at++;
  }
  return filled;
}
