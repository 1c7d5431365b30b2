// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Types behind names.
#include "nest.h"

typedef float real;
typedef real vector[N];
typedef unsigned int index_t;
static void kernel(vector a, vector b, real *out) {
  real s = 0;
#pragma scop
  for (index_t i = 0; i < N; i++) // loop: reduction
    s += a[i] * b[i];             // reduction: +
#pragma endscop
  *out = s;
}

int main(void) {
  static vector a, b;
  static real out;
  FILL_F32(a); FILL_F32(b);
  kernel(a, b, &out);
  SHOW_F32(out);
  return 0;
}
