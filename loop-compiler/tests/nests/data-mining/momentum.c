// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Momentum: the velocity is a linear recurrence, the parameter a sum of it, and the gradient needs the parameter.
#include "nest.h"

static double gradient(double theta) { return 2 * theta - 1; }
static void kernel(int tsteps, double alpha, double beta, double out[2]) {
  double v = 0, theta = out[0], g;
#pragma scop
  for (int t = 0; t < tsteps; t++) {  // loop: sequential
    g = gradient(theta);
    v = beta * v + (1 - beta) * g;    // no reduction: recurrence
    theta = theta - alpha * v;        // reduction: +
  }
#pragma endscop
  out[0] = theta, out[1] = v;
}

int main(void) {
  static double out[2] = {3};
  kernel(TSTEPS, 0.125, 0.75, out);
  SHOW_F64(out);
  return 0;
}
