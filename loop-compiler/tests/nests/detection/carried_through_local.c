// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// What is subtracted depends on what it is subtracted from, through a local variable: no linear recurrence.
#include "nest.h"

static void kernel(int n, const int a[n], int b[n], int *out) {
  int s = 5 * n;
#pragma scop
  for (int i = 0; i < n; i++) { // loop: sequential
    int used = a[i] < s ? a[i] : s;
    b[i] = used;
    s -= used; // no reduction: operator
  }
#pragma endscop
  *out = s;
}

int main(void) {
  static int a[N], b[N], out;
  FILL_INT(a);
  kernel(N, a, b, &out);
  for (int i = 0; i < N; i++)
    SHOW_INT(b[i]);
  SHOW_INT(out);
  return 0;
}
