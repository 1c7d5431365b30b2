// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Buy low, sell later: a minimum whose prefix is read, and a maximum of what is made of it.
#include "nest.h"

static void kernel(int n, int price[n], int *out) {
  int low = price[0];
  int gain = 0;
#pragma scop
  for (int i = 1; i < n; i++) {                             // loop: scan
    low = price[i] < low ? price[i] : low;                  // reduction: min
    gain = price[i] - low > gain ? price[i] - low : gain;   // reduction: max
  }
#pragma endscop
  *out = gain;
}

int main(void) {
  static int price[N], out;
  FILL_INT(price);
  kernel(N, price, &out);
  SHOW_INT(out);
  return 0;
}
