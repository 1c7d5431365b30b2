// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Edge detection by Sobel gradients, edge tracking along rows and a general kernel.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void sobel(const uint8_t *src, float *mag, int w, int h)
{
  if (w < 3 || h < 3)
    return;
  memset(mag, 0, (size_t)w * h * sizeof(float));
  for (int y = 1; y < h - 1; y++) { // truth: parallel
    const uint8_t *up = src + (size_t)(y - 1) * w;
    const uint8_t *mid = up + w;
    const uint8_t *down = mid + w;
    for (int x = 1; x < w - 1; x++) { // truth: parallel
      int gx = up[x + 1] + 2 * mid[x + 1] + down[x + 1] - up[x - 1] - 2 * mid[x - 1] - down[x - 1];
      int gy = down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
      mag[(size_t)y * w + x] = sqrtf((float)(gx * gx + gy * gy));
    }
  }
}

/* Weak edges become strong next to a strong one on the left, in place. */
void follow_edges(uint8_t *edge, int w, int h, uint8_t weak, uint8_t strong)
{
  for (int y = 0; y < h; y++) { // truth: parallel
    uint8_t *row = edge + (size_t)y * w;
    for (int x = 1; x < w; x++) { // truth: sequential
      if (row[x] < weak)
        row[x] = 0;
      else if (row[x - 1] >= strong)
        row[x] = strong;
    }
  }
}

/* General 3 x 3 kernel with the coefficients in an array. */
void convolve3(const float *restrict src, float *restrict dst, int w, int h, const float k[9])
{
  for (int y = 1; y < h - 1; y++) // truth: parallel
    for (int x = 1; x < w - 1; x++) { // truth: parallel
      float s = 0.0f;
      for (int j = -1; j <= 1; j++) // truth: parallel
        for (int i = -1; i <= 1; i++) // truth: parallel
          s += k[3 * (j + 1) + i + 1] * src[(size_t)(y + j) * w + x + i];
      dst[(size_t)y * w + x] = s;
    }
}
