//! fault use-after-free
//! note A buffer on the device is freed before the kernel that reads it; the twin frees it after that.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 64, out[64], device = omp_get_default_device();
  int *buffer = omp_target_alloc(n * sizeof(int), device);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) is_device_ptr(buffer)
  for (int i = 0; i < n; i++) buffer[i] = i * i;
  omp_target_free(buffer, device); //faulty
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) is_device_ptr(buffer) map(from : out)
  for (int i = 0; i < n; i++)
    out[i] = buffer[n - 1 - i]; //~
  //fixed: omp_target_free(buffer, device);
  printf("%d %d\n", out[0], out[63]);
  return 0;
}
