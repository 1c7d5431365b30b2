// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Arrays and an accumulator of the file, in a function without parameters.
#include "nest.h"

static double a[N][M], x[M], total;
static void kernel(void) {
#pragma scop
  for (int i = 0; i < N; i++)     // loop: reduction
    for (int j = 0; j < M; j++)   // loop: reduction
      total += a[i][j] * x[j];    // reduction: +
#pragma endscop
}

int main(void) {
  FILL_F64(a); FILL_F64(x);
  kernel();
  SHOW_F64(total);
  return 0;
}
