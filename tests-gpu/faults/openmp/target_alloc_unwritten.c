//! fault uninitialised
//! note A table on the device is searched before anything was copied to it; the twin copies it.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 32, out[64], table[32], device = omp_get_default_device(), host = omp_get_initial_device();
  for (int i = 0; i < n; i++) table[i] = i * i;
  int *copy = omp_target_alloc(n * sizeof(int), device);
  //fixed: omp_target_memcpy(copy, table, n * sizeof(int), 0, 0, device, host);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : out) is_device_ptr(copy)
  for (int i = 0; i < 64; i++) {
    int k = 0;
    while (k < n - 1 && copy[k] < 10 * i) k++; //~
    out[i] = k;
  }
  printf("%d %d %d %d\n", table[1], out[0], out[7], out[63]);
  omp_target_free(copy, device);
  return 0;
}
