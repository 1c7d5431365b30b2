// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reduces gray images to black and white: ordered, by error diffusion, row by row.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t bayer[4][4] = {
  { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
};

void dither_ordered(const uint8_t *src, uint8_t *dst, int w, int h)
{
  for (int y = 0; y < h; y++) { // truth: parallel
    const uint8_t *t = bayer[y & 3];
    for (int x = 0; x < w; x++) { // truth: parallel
      size_t at = (size_t)y * w + x;
      dst[at] = src[at] > 16 * t[x & 3] + 8 ? 255 : 0;
    }
  }
}

/* Errors go to the right and to the row below. */
int dither_diffuse(uint8_t *img, int w, int h)
{
  int *cur = calloc(2 * ((size_t)w + 2), sizeof *cur);
  if (!cur)
    return -1;
  int *next = cur + w + 2, *block = cur;

  for (int y = 0; y < h; y++) { // truth: sequential
    uint8_t *row = img + (size_t)y * w;
    memset(next, 0, ((size_t)w + 2) * sizeof *next);
    for (int x = 0; x < w; x++) { // truth: sequential
      int v = row[x] + cur[x + 1] / 16;
      int out = v >= 128 ? 255 : 0;
      int err = v - out;
      row[x] = (uint8_t)out;
      cur[x + 2] += 7 * err;
      next[x] += 3 * err;
      next[x + 1] += 5 * err;
      next[x + 2] += err;
    }
    int *t = cur;
    cur = next;
    next = t;
  }
  free(block);
  return 0;
}

/* Each row on its own: the error stays within the row. */
void dither_rows(uint8_t *img, int w, int h)
{
  for (int y = 0; y < h; y++) { // truth: parallel
    int err = 0;
    uint8_t *row = img + (size_t)y * w;
    for (int x = 0; x < w; x++) { // truth: sequential
      int v = row[x] + err;
      row[x] = v >= 128 ? 255 : 0;
      err = v - row[x];
    }
  }
}
