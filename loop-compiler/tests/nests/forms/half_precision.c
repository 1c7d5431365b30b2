// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A matrix of `_Float16` times a vector, summed as `float`, and stored in both types.
#include "nest.h"

static void kernel(int n, int m, const _Float16 a[n][m], const _Float16 x[m], float y[n], _Float16 h[n]) {
#pragma scop
  for (int i = 0; i < n; i++) { // loop: parallel
    y[i] = 0;
    for (int j = 0; j < m; j++)             // loop: reduction
      y[i] += (float)a[i][j] * (float)x[j]; // reduction: +
    h[i] = (_Float16)y[i];
  }
#pragma endscop
}

int main(void) {
  static _Float16 a[N][M], x[M], h[N];
  static int numbers[N][M], factors[M];
  static float y[N];
  FILL_INT(numbers);
  FILL_INT(factors);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      a[i][j] = (_Float16)(numbers[i][j] / 8.0f);
  for (int j = 0; j < M; j++)
    x[j] = (_Float16)(factors[j] / 4.0f);
  kernel(N, M, a, x, y, h);
  for (int i = 0; i < N; i++)
    printf("%a %a\n", (double)y[i], (double)(float)h[i]);
  return 0;
}
