// All threads update one word atomically.
#include "timer.h"

int main(void) {
  int n = 1 << 20, count = 0;
  double sum = 0;
  while (bench_again()) {
    count = 0, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : count, sum)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      count += i & 1;
#pragma omp atomic
      sum += i;
    }
  }
  return count != n / 2 || sum != 0.5 * n * (n - 1.0);
}
