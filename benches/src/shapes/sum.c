// The sum of 2^24 doubles.
#include "timer.h"

int main(void) {
  int n = 1 << 24;
  double *a = malloc(n * sizeof *a), s = 0;
  for (int i = 0; i < n; i++)
    a[i] = i & 15;
#pragma omp target enter data map(to : a[:n])
  while (bench_again()) {
    s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
      s += a[i];
  }
#pragma omp target exit data map(delete : a[:n])
  return s != 7.5 * n;
}
