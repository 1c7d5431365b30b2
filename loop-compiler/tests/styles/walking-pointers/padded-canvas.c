// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Copies an image into a larger canvas and repeats its border.
#include <stdint.h>
#include <stddef.h>

typedef uint8_t u8;

/* The canvas has `pad` pixels more on every side. */
void canvas_fill(u8 *canvas, ptrdiff_t pitch, const u8 *img, int w, int h, int pad)
{
  if (w <= 0 || h <= 0 || pad < 0 || pitch < w + 2 * pad)
    return;

  u8 *row = canvas + pad * pitch;
  for (int y = h; y > 0; --y) { // truth: parallel
    u8 *d = row;
    int x;
    for (x = 0; x < pad; ++x) // truth: parallel
      *d++ = img[0];
    for (x = 0; x < w; ++x) // truth: parallel
      *d++ = img[x];
    for (x = 0; x < pad; ++x) // truth: parallel
      *d++ = img[w - 1];
    img += w;
    row += pitch;
  }

  /* Rows above and below: copies of the first and of the last row. */
  const u8 *first = canvas + pad * pitch;
  const u8 *last = first + (h - 1) * pitch;
  u8 *above = canvas, *below = canvas + (pad + h) * pitch;
  while (pad--) { // truth: parallel
    for (ptrdiff_t x = 0; x < pitch; ++x) { // truth: parallel
      above[x] = first[x];
      below[x] = last[x];
    }
    above += pitch;
    below += pitch;
  }
}

/* Grows the canvas downwards, every row from the one above it. */
void canvas_fade(u8 *canvas, ptrdiff_t pitch, int w, int rows)
{
  for (int y = 1; y < rows; ++y) { // truth: sequential
    const u8 *from = canvas;
    canvas += pitch;
    u8 *to = canvas;
    for (int x = 0; x < w; ++x) // truth: parallel
      *to++ = (u8)(*from++ * 7 / 8);
  }
}
