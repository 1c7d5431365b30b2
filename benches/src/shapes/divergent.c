// Loops of different length in each lane: few lanes of a warp are active at a time.
#include "timer.h"

int main(void) {
  int n = 1 << 14;
  unsigned *a = malloc(n * sizeof *a);
#pragma omp target enter data map(alloc : a[:n])
  while (bench_again()) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      unsigned value = i, steps = 0;
      int many = i % 32 == 7 ? 400 : 4;
      for (int j = 0; j < many; j++) {
        value = value * 1664525u + 1013904223u;
        if (value >> 31)
          steps += value & 7;
        else
          steps ^= value >> 3;
      }
      a[i] = steps;
    }
  }
#pragma omp target exit data map(from : a[:n])
  for (int i = 0; i < n; i++) {
    unsigned value = i, steps = 0;
    int many = i % 32 == 7 ? 400 : 4;
    for (int j = 0; j < many; j++) {
      value = value * 1664525u + 1013904223u;
      if (value >> 31)
        steps += value & 7;
      else
        steps ^= value >> 3;
    }
    if (a[i] != steps)
      return 1;
  }
  return 0;
}
