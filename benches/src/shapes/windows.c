// Sums of 25 neighbours of each of 4608 elements, LAUNCHES times.
#include "timer.h"

int main(void) {
  int n = 4608;
  float *a = malloc((n + 25) * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n + 25; i++)
    a[i] = 1;
#pragma omp target enter data map(to : a[:n + 25], b[:n])
  while (bench_again()) {
    for (int launch = 0; launch < LAUNCHES; launch++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < 25; k++)
          s += a[i + k];
        b[i] = s;
      }
    }
  }
#pragma omp target exit data map(from : b[:n]) map(delete : a[:n + 25])
  return b[n / 2] != 25;
}
