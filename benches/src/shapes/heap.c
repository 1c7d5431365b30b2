// Each thread allocates and frees memory on the device.
#include "timer.h"

int main(void) {
  int n = 1 << 15, bad = 0;
  while (bench_again()) {
    bad = 0;
#pragma omp target teams distribute parallel for reduction(+ : bad)
    for (int i = 0; i < n; i++) {
      int length = 4 + i % 13, sum = 0;
      int *list = malloc(length * sizeof *list);
      for (int j = 0; j < length; j++)
        list[j] = i + j;
      for (int j = 0; j < length; j++)
        sum += list[j];
      free(list);
      bad += sum != length * i + length * (length - 1) / 2;
    }
  }
  return bad;
}
