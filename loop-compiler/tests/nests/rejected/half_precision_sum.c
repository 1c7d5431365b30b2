// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A sum in `_Float16`, which processors and compilers round differently.
#include "nest.h"

static void kernel(int n, const _Float16 a[n], _Float16 *out) {
  _Float16 s = 0;
#pragma scop // rejected: model
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma endscop
  *out = s;
}

int main(void) {
  static _Float16 a[N], out;
  for (int i = 0; i < N; i++)
    a[i] = (_Float16)(i / 8.0f);
  kernel(N, a, &out);
  printf("%a\n", (double)(float)out);
  return 0;
}
