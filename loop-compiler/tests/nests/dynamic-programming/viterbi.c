// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The most probable path of states: an argmax per state, states in parallel, time in order.
#include "nest.h"

static void kernel(int tsteps, int n, DATA_TYPE POLYBENCH_2D(v, TSTEPS, N, tsteps, n),
                   DATA_TYPE POLYBENCH_2D(step, N, N, n, n), int POLYBENCH_2D(from, TSTEPS, N, tsteps, n)) {
  int t, s, p, where;
  DATA_TYPE top;
#pragma scop
  for (t = 1; t < _PB_TSTEPS; t++)          // loop: sequential
    for (s = 0; s < _PB_N; s++) {           // loop: private
      top = v[t - 1][0] + step[0][s];
      where = 0;
      for (p = 1; p < _PB_N; p++)           // loop: reduction
        if (v[t - 1][p] + step[p][s] > top) {
          top = v[t - 1][p] + step[p][s];   // reduction: argmax
          where = p;                        // reduction: argmax
        }
      v[t][s] = top;
      from[t][s] = where;
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE v[TSTEPS][N], step[N][N];
  static int from[TSTEPS][N];
  FILL(v); FILL(step);
  kernel(TSTEPS, N, v, step, from);
  SHOW(v); SHOW_INT(from);
  return 0;
}
