// A product of matrices of 256 x 256 floats: each thread computes an element.
#include "timer.h"

int main(void) {
  int n = 256;
  float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
  for (int i = 0; i < n * n; i++)
    a[i] = i % 3, b[i] = 2, c[i] = 0;
#pragma omp target enter data map(to : a[:n * n], b[:n * n], c[:n * n])
  while (bench_again()) {
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float s = 0;
        for (int k = 0; k < n; k++)
          s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
      }
  }
#pragma omp target exit data map(from : c[:n * n]) map(delete : a[:n * n], b[:n * n])
  return c[0] != 2 * 255;
}
