//! fault out-of-bounds
//! note The mapped section has half of the elements that the loop reads; the twin maps all.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 128;
  float *x = malloc(n * sizeof *x), y[128];
  for (int i = 0; i < n; i++) x[i] = i;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(to : x[0 : n / 2]) map(from : y) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(to : x[0 : n]) map(from : y)
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i]; //~
  printf("%g %g\n", y[1], y[127]);
  free(x);
  return 0;
}
