// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Gradient descent with momentum for `n` separate parabolas. `theta` is a sum over the steps, but each gradient reads it:
// nothing is left out, and only the parabolas are independent.
#include <stdio.h>
#include <stdlib.h>

static void descent(int steps, int n, const double *restrict steep, const double *restrict least,
                    double *restrict g, double *restrict v, double *restrict theta) {
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      g[i] = steep[i] * (theta[i] - least[i]);
      v[i] = 0.5 * v[i] + 0.5 * g[i];
      theta[i] -= 0.25 * v[i];
    }
#pragma endscop
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 30, n = argc > 2 ? atoi(argv[2]) : 20000;
  double *steep = malloc(n * sizeof *steep), *least = malloc(n * sizeof *least);
  double *g = malloc(n * sizeof *g), *v = calloc(n, sizeof *v), *theta = calloc(n, sizeof *theta);
  for (int i = 0; i < n; i++)
    steep[i] = 1 + i % 3, least[i] = i % 7;
  descent(steps, n, steep, least, g, v, theta);
  for (int i = 0; i < n; i += 997)
    printf("%d %a\n", i, theta[i]);
  free(steep), free(least), free(g), free(v), free(theta);
  return 0;
}
