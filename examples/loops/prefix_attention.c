// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Attention whose weights depend on the key alone, normalised over the positions so far: both sums of a position are those
// of the one before it, and one more term.
#include <stdio.h>
#include <stdlib.h>

static void attention(int n, int d, const double *restrict weight, const double value[restrict n][d],
                      double *restrict norm, double out[restrict n][d]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    norm[i] = 0;
    for (int j = 0; j <= i; j++)
      norm[i] += weight[j];
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < d; k++) {
      out[i][k] = 0;
      for (int j = 0; j <= i; j++)
        out[i][k] += weight[j] * value[j][k];
    }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < d; k++)
      out[i][k] /= norm[i];
#pragma endscop
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500, d = argc > 2 ? atoi(argv[2]) : 64;
  double *weight = malloc(n * sizeof *weight), *norm = malloc(n * sizeof *norm);
  double (*value)[d] = malloc(n * sizeof *value), (*out)[d] = malloc(n * sizeof *out);
  for (int i = 0; i < n; i++) {
    weight[i] = 1 << i % 5;
    for (int k = 0; k < d; k++)
      value[i][k] = (i * 31 + k * 7) % 64 / 8.0;
  }
  attention(n, d, weight, value, norm, out);
  for (int i = 0; i < n; i += 97)
    printf("%d %a %a\n", i, norm[i], out[i][d - 1]);
  free(weight), free(norm), free(value), free(out);
  return 0;
}
