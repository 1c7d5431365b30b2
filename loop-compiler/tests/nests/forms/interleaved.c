// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Real and imaginary parts, and colours, of the elements of a matrix, one after the other in one array.
#include "nest.h"

static void kernel(int n, int m, double *restrict z, const unsigned char *restrict image, int *restrict gray,
                   double *restrict sums) {
#pragma scop
  for (int i = 0; i < n; i++)             // loop: parallel
    for (int j = 0; j < m; j++) {         // loop: parallel
      double *p = z + 2 * (i * m + j);
      double real = p[0] * p[0] - p[1] * p[1];
      p[1] *= 2 * p[0];
      p[0] = real;
    }
  for (int i = 0; i < n; i++)             // loop: parallel
    for (int j = 0; j < m; j++) {         // loop: parallel
      const unsigned char *pixel = &image[(i * m + j) * 3];
      gray[i * m + j] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
    }
  for (int i = 0; i < n; i++)             // loop: reduction
    for (int j = 0; j < m; j++) {         // loop: reduction
      sums[0] += z[2 * (i * m + j)];      // reduction: +
      sums[1] += z[2 * (i * m + j) + 1];  // reduction: +
    }
#pragma endscop
}

int main(void) {
  static double z[2 * N * M], sums[2];
  static unsigned char image[3 * N * M];
  static int gray[N * M];
  FILL_F64(z);
  for (long i = 0; i < 3L * N * M; i++) image[i] = (unsigned char)(i * 37 + i / 11);
  kernel(N, M, z, image, gray, sums);
  SHOW_F64(z); SHOW_INT(gray); SHOW_F64(sums);
  return 0;
}
