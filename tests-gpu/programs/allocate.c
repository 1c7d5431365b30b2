//! prints 39800.0 398.0
// Device memory that the program allocates, with its own error handling; regions with maps. Prints the
// results, or which step failed.
#include <omp.h>
#include <stdio.h>

enum { N = 200, BLOCKS = 3 };

int main(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  double own[N], result[N], *block[BLOCKS], sum = 0;
  for (int i = 0; i < N; i++) own[i] = i;
  for (int b = 0; b < BLOCKS; b++) {
    block[b] = omp_target_alloc(sizeof own, device);
    if (!block[b]) {
      printf("no memory for block %d\n", b);
      return 3;
    }
  }
  if (omp_target_memcpy(block[0], own, sizeof own, 0, 0, device, host) != 0) {
    printf("no copy\n");
    return 3;
  }
  double *from = block[0], *to = block[1];
#pragma omp target teams distribute parallel for is_device_ptr(from, to) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    to[i] = 2 * from[i];
    sum += to[i];
  }
  if (omp_target_memcpy(result, block[1], sizeof result, 0, 0, host, device) != 0) {
    printf("no copy\n");
    return 3;
  }
  for (int b = 0; b < BLOCKS; b++) omp_target_free(block[b], device);
  printf("%.1f %.1f\n", sum, result[N - 1]);
  return sum != N * (N - 1.0) || result[N - 1] != 2 * (N - 1.0);
}
