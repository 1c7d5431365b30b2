//! fault data-race
//! note All threads use one buffer as scratch memory through a pointer; in the twin each has its own part.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out[64], device = omp_get_default_device();
  int *scratch = omp_target_alloc(64 * 4 * sizeof(int), device);
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : out) is_device_ptr(scratch)
  for (int i = 0; i < 64; i++) {
    int *digits = scratch; //faulty
    //fixed: int *digits = scratch + 4 * i;
    for (int k = 0, rest = i * 37; k < 4; k++, rest /= 10) digits[k] = rest % 10; //~
    out[i] = 0;
    for (int k = 0; k < 4; k++) out[i] += digits[k]; //~
  }
  printf("%d %d\n", out[1], out[63]);
  omp_target_free(scratch, device);
  return 0;
}
