// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pointers to rows, to pixels and to structures, declared where they are used.
#include "nest.h"

struct body {
  double x, y, mass;
};

static void kernel(int n, int m, double *restrict a, double b[restrict N][M], const struct body *restrict bodies,
                   const unsigned char *restrict image, unsigned *restrict histogram, double *restrict out) {
#pragma scop
  for (int i = 0; i < n; i++) {           // loop: parallel
    double *row = a + (long)i * m, *const end = &b[i][M - 1];
    for (int j = 0; j < m; j++)           // loop: parallel
      row[j] *= 2;
    *end += 1;
  }
  for (int i = 0; i < n; i++) {           // loop: parallel
    const double *from = a + i * m, *to = b[i];
    double total = 0;
    for (int j = 1; j < m; j++)           // loop: reduction
      total += from[j - 1] * to[j];       // reduction: +
    out[i] = total;
  }
  for (int i = 0; i < n; i++)             // loop: reduction
    for (int j = 0; j < m; j++) {         // loop: reduction
      const unsigned char *pixel = image + 3 * (i * m + j);
      histogram[(pixel[0] * 2 + pixel[1] * 5 + pixel[2]) >> 8]++; // reduction: +
    }
  double center = 0;
  for (int i = 0; i < n; i++) {           // loop: reduction
    const struct body *body = &bodies[i];
    center += body->mass * (body->x - body->y); // reduction: +
  }
  out[n] = center;
#pragma endscop
}

int main(void) {
  static double a[N * M], b[N][M], out[N + 1];
  static struct body bodies[N];
  static unsigned char image[3 * N * M];
  static unsigned histogram[8];
  FILL_F64(a); FILL_F64(b);
  for (int i = 0; i < N; i++) bodies[i] = (struct body){i * 0.5, i % 7, 1.0 / (i + 1)};
  for (long i = 0; i < 3L * N * M; i++) image[i] = (unsigned char)(i * 37 + i / 11);
  kernel(N, M, a, b, bodies, image, histogram, out);
  SHOW_F64(a); SHOW_F64(b); SHOW_F64(out); SHOW_UINT(histogram);
  return 0;
}
