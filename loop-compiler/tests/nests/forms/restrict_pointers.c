// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Pointers under `restrict`, and sizes of another type.
#include "nest.h"

static void kernel(size_t n, size_t m, const float *restrict a, const float *restrict x, float *restrict y) {
#pragma scop
  for (size_t i = 0; i < n; i++) {    // loop: parallel
    float dot = 0;
    for (size_t j = 0; j < m; j++)    // loop: reduction
      dot += a[i * M + j] * x[j];     // reduction: +
    y[i] = dot;
  }
#pragma endscop
}

int main(void) {
  static float a[N * M], x[M], y[N];
  FILL_F32(a); FILL_F32(x);
  kernel(N, M, a, x, y);
  SHOW_F32(y);
  return 0;
}
