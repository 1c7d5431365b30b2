// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A histogram, into an array of known extent: integers need no --order. `k` and `bin` may overlap as far as C says, which
// the program checks.
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 256 };
static int bin[BINS];

static void histogram(int n, const unsigned char *k) {
#pragma scop
  for (int i = 0; i < n; i++)
    bin[k[i]] += 1;
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000000;
  unsigned char *k = malloc(n);
  for (int i = 0; i < n; i++)
    k[i] = (unsigned) i * 2654435761u >> 24;
  histogram(n, k);
  for (int j = 0; j < BINS; j += 31)
    printf("%d %d\n", j, bin[j]);
  free(k);
  return 0;
}
