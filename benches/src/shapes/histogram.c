// A histogram of 2^20 numbers by atomics.
#include "timer.h"

int main(void) {
  int n = 1 << 20, bins[256];
  unsigned *a = malloc(n * sizeof *a), x = 1;
  for (int i = 0; i < n; i++)
    a[i] = (x = x * 1664525 + 1013904223) >> 24;
#pragma omp target enter data map(to : a[:n])
  while (bench_again()) {
    for (int i = 0; i < 256; i++)
      bins[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom : bins)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      bins[a[i]]++;
    }
  }
#pragma omp target exit data map(delete : a[:n])
  int all = 0;
  for (int i = 0; i < 256; i++)
    all += bins[i];
  return all != n;
}
