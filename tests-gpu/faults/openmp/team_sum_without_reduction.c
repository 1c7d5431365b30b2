//! fault data-race
//! note The threads of a team add to a variable of the team; the twin has a reduction over the parallel region.
#include <stdio.h>
int main(void) {
  int a[128], sums[2];
  for (int i = 0; i < 128; i++) a[i] = i + 1;
#pragma omp target teams distribute num_teams(2) thread_limit(64) map(from : sums)
  for (int row = 0; row < 2; row++) {
    int sum = 0;
#pragma omp parallel for //faulty
    //fixed: #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++)
      sum += a[64 * row + i]; //~
    sums[row] = sum;
  }
  printf("sums %d %d\n", sums[0], sums[1]);
  return 0;
}
