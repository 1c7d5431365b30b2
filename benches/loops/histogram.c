// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A histogram: plain loops, and with -DBY_HAND as one writes them for a GPU.
#include <stdio.h>
#include <stdlib.h>

static int bin[256];

static void histogram(int n, const unsigned char *restrict k) {
#ifdef BY_HAND
#pragma omp target teams distribute parallel for map(to : k[0 : n]) map(tofrom : bin)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    bin[k[i]]++;
  }
#else
#pragma scop
  for (int i = 0; i < n; i++)
    bin[k[i]] += 1;
#pragma endscop
#endif
}

int main(int count, char **arguments) {
  int scale = count > 1 ? atoi(arguments[1]) : 1;
  int n = 300000 * scale;
  long check = 0;
  unsigned char *k = malloc(n);
  for (int i = 0; i < n; i++)
    k[i] = (unsigned) i * 2654435761u >> 24;
  histogram(n, k);
  for (int j = 0; j < 256; j++)
    check += bin[j] * (j + 1);
  printf("%ld\n", check);
  return 0;
}
