//! fault out-of-bounds
//! note The last iteration reads the element after the end of the array; the twin has one iteration less.
#include <stdio.h>
int main(void) {
  int n = 64;
  double x[64], d[64];
  for (int i = 0; i < n; i++) x[i] = i * i, d[i] = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(to : x) map(tofrom : d)
  for (int i = 0; i < n; i++) //faulty
  //fixed: for (int i = 0; i < n - 1; i++)
    d[i] = x[i + 1] - x[i]; //~
  printf("%g %g\n", d[0], d[62]);
  return 0;
}
