// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The five sums of a straight line's fit.
#include "nest.h"

static void kernel(int n, DATA_TYPE POLYBENCH_1D(x, N, n), DATA_TYPE POLYBENCH_1D(y, N, n),
                   DATA_TYPE POLYBENCH_1D(line, 2, 2)) {
  int i;
  DATA_TYPE sx = 0, sy = 0, sxx = 0, sxy = 0;
#pragma scop
  for (i = 0; i < _PB_N; i++) { // loop: reduction
    sx += x[i];                 // reduction: +
    sy = y[i] + sy;             // reduction: +
    sxx += x[i] * x[i];         // reduction: +
    sxy = sxy + x[i] * y[i];    // reduction: +
  }
  line[1] = (_PB_N * sxy - sx * sy) / (_PB_N * sxx - sx * sx);
  line[0] = (sy - line[1] * sx) / _PB_N;
#pragma endscop
}

int main(void) {
  static DATA_TYPE x[N], y[N], line[2];
  FILL(x); FILL(y);
  kernel(N, POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(line));
  SHOW(line);
  return 0;
}
