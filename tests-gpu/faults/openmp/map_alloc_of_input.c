//! fault uninitialised
//! note An input array is mapped without its values; the twin maps them to the device.
#include <stdio.h>
int main(void) {
  int n = 100;
  float x[100], y[100];
  for (int i = 0; i < n; i++) x[i] = i, y[i] = 1;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(alloc : x) map(tofrom : y) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(to : x) map(tofrom : y)
  for (int i = 0; i < n; i++)
    y[i] += 3 * x[i]; //~
  printf("%g %g\n", y[1], y[99]);
  return 0;
}
