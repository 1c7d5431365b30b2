// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A histogram, its running sum, and the class that has the most members.
#include "nest.h"

static void kernel(int n, int bin[n], int count[L], int below[L], int mode[2]) {
  int i;
  int sum = 0;
  int most = -1;
  int where = 0;
#pragma scop
  for (i = 0; i < n; i++)       // loop: reduction
    count[bin[i]]++;            // reduction: +
  for (i = 0; i < L; i++) {     // loop: scan
    sum += count[i];            // reduction: +
    below[i] = sum;
  }
  for (i = 0; i < L; i++)       // loop: reduction
    if (count[i] > most) {
      most = count[i];          // reduction: argmax
      where = i;                // reduction: argmax
    }
#pragma endscop
  mode[0] = most, mode[1] = where;
}

int main(void) {
  static int bin[N], count[L], below[L], mode[2];
  FILL_INDEX(bin, L);
  kernel(N, bin, count, below, mode);
  SHOW_INT(count); SHOW_INT(below); SHOW_INT(mode);
  return 0;
}
