// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A histogram: plain loops, and as one writes them for a GPU: with -DBY_HAND all threads update one array, with -DBY_TEAMS
// each team has a copy.
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
#elif defined BY_TEAMS
#pragma omp target teams distribute map(to : k[0 : n]) map(tofrom : bin)
  for (int part = 0; part < n; part += 2048) {
    int own[256];
#pragma omp parallel for
    for (int b = 0; b < 256; b++) own[b] = 0;
#pragma omp parallel for
    for (int i = part; i < (part + 2048 < n ? part + 2048 : n); i++) {
#pragma omp atomic
      own[k[i]]++;
    }
#pragma omp parallel for
    for (int b = 0; b < 256; b++) {
#pragma omp atomic
      bin[b] += own[b];
    }
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
