// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// The average of each `w` neighbouring samples: from one window to the next a sample is added, and one is subtracted.
#include <stdio.h>
#include <stdlib.h>

static void moving_average(int n, int w, const int *restrict sample, int *restrict sum, double *restrict mean) {
#pragma scop
  for (int i = 0; i < n; i++) {
    sum[i] = 0;
    for (int j = i; j < i + w; j++)
      sum[i] += sample[j];
  }
  for (int i = 0; i < n; i++)
    mean[i] = (double)sum[i] / w;
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000, w = argc > 2 ? atoi(argv[2]) : 300;
  int *sample = malloc((n + w) * sizeof *sample), *sum = malloc(n * sizeof *sum);
  double *mean = malloc(n * sizeof *mean);
  for (int i = 0; i < n + w; i++)
    sample[i] = i * 37 % 101 - 50;
  moving_average(n, w, sample, sum, mean);
  for (int i = 0; i < n; i += 997)
    printf("%d %a\n", i, mean[i]);
  free(sample), free(sum), free(mean);
  return 0;
}
