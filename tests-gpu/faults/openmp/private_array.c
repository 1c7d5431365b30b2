//! fault uninitialised
//! note A private array does not start with the values it has outside; in the twin it is firstprivate.
#include <stdio.h>
int main(void) {
  int limits[8], level[64], n = 8;
  for (int k = 0; k < n; k++) limits[k] = 10 * k;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) private(limits) map(from : level) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) firstprivate(limits) map(from : level)
  for (int i = 0; i < 64; i++) {
    limits[i % n] = i;
    int k = 0;
    while (k < n - 1 && limits[k] < i) k++; //~
    level[i] = k;
  }
  printf("%d %d\n", level[5], level[63]);
  return 0;
}
