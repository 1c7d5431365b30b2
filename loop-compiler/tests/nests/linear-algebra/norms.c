// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The one-, two- and maximum norm of a matrix in one pass.
#include "nest.h"

static void kernel(int n, int m, DATA_TYPE POLYBENCH_2D(A, N, M, n, m), DATA_TYPE POLYBENCH_1D(out, 3, 3)) {
  DATA_TYPE one = 0, two = 0, biggest = 0;
#pragma scop
  for (int i = 0; i < _PB_N; i++)       // loop: reduction
    for (int j = 0; j < _PB_M; j++) {   // loop: reduction
      one += fabs(A[i][j]);             // reduction: +
      two += A[i][j] * A[i][j];         // reduction: +
      biggest = fmax(biggest, fabs(A[i][j])); // reduction: fmax
    }
#pragma endscop
  out[0] = one, out[1] = sqrt(two), out[2] = biggest;
}

int main(void) {
  static DATA_TYPE A[N][M], out[3];
  FILL(A);
  kernel(N, M, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(out));
  SHOW(out);
  return 0;
}
