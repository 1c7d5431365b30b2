// Steps of a stencil of five points on 1024 x 1024 doubles.
#include "timer.h"

int main(void) {
  int n = 1024;
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = i % n + i / n;
#pragma omp target enter data map(to : a[:n * n], b[:n * n])
  while (bench_again()) {
    for (int step = 0; step < 2; step++) {
      double *from = step & 1 ? b : a, *to = step & 1 ? a : b;
#pragma omp target teams distribute parallel for collapse(2)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          to[i * n + j] = 0.2 * (from[i * n + j] + from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                                 from[i * n + j - 1] + from[i * n + j + 1]);
    }
  }
#pragma omp target exit data map(from : a[:n * n]) map(delete : b[:n * n])
  double middle = a[n / 2 * n + n / 2] - n;
  return middle < -1e-6 || middle > 1e-6;
}
