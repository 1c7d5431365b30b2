// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Unfolding of a channel-major image for a convolution as a matrix product, and the reverse accumulation.
#include <stddef.h>

typedef struct {
  int channels, height, width; /* image */
  int kh, kw, pad, step;       /* kernel */
} conv_shape;

static inline int inside(int v, int n) { return (unsigned)v < (unsigned)n; }

void im2col(const conv_shape *s, const float *im, float *col) {
  const int oh = (s->height + 2 * s->pad - s->kh) / s->step + 1;
  const int ow = (s->width + 2 * s->pad - s->kw) / s->step + 1;
  const int rows = s->channels * s->kh * s->kw;

  for (int r = 0; r < rows; ++r) { // truth: parallel
    const int dx = r % s->kw, dy = (r / s->kw) % s->kh, ch = r / s->kw / s->kh;
    for (int y = 0; y < oh; ++y) { // truth: parallel
      const int sy = y * s->step - s->pad + dy;
      for (int x = 0; x < ow; ++x) { // truth: parallel
        const int sx = x * s->step - s->pad + dx;
        float v = 0;
        if (inside(sy, s->height) && inside(sx, s->width))
          v = im[((size_t)ch * s->height + sy) * s->width + sx];
        col[((size_t)r * oh + y) * ow + x] = v;
      }
    }
  }
}

void col2im(const conv_shape *s, const float *col, float *im) {
  const int oh = (s->height + 2 * s->pad - s->kh) / s->step + 1;
  const int ow = (s->width + 2 * s->pad - s->kw) / s->step + 1;

  for (int ch = 0; ch < s->channels; ++ch, im += s->height * s->width) // truth: parallel
    for (int k = 0; k < s->kh * s->kw; ++k) // truth: parallel
      for (int y = 0; y < oh; ++y) { // truth: parallel
        const int sy = y * s->step - s->pad + k / s->kw;
        if (!inside(sy, s->height)) { col += ow; continue; }
        for (int x = 0; x < ow; ++x) { // truth: parallel
          const int sx = x * s->step - s->pad + k % s->kw;
          if (inside(sx, s->width)) im[sy * s->width + sx] += *col;
          ++col;
        }
      }
}
