//! fault uninitialised
//! note Only half of an array is copied to the device, and all of it is read; the twin copies all.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 128;
  double *x = malloc(n * sizeof *x), y[128];
  for (int i = 0; i < n; i++) x[i] = i;
#pragma omp target data map(alloc : x[0 : n]) map(from : y)
  {
#pragma omp target update to(x[0 : n / 2]) //faulty
    //fixed: #pragma omp target update to(x[0 : n])
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64)
    for (int i = 0; i < n; i++)
      y[i] = x[i] * x[i] + 1; //~
  }
  printf("%g %g\n", y[3], y[127]);
  free(x);
  return 0;
}
