//! fault data-race
//! note Thread 0 computes an offset in a masked region, which has no barrier at its end; the twin has a barrier.
#include <stdio.h>
int main(void) {
  int a[128], starts[2] = {1000, 2000};
#pragma omp target teams distribute num_teams(2) thread_limit(96) map(from : a)
  for (int row = 0; row < 2; row++) {
    int offset = -1;
#pragma omp parallel
    {
#pragma omp masked
      offset = starts[row] + row; //~
      //fixed: #pragma omp barrier
      int start = offset; //~
#pragma omp for
      for (int i = 0; i < 64; i++)
        a[64 * row + i] = start + i;
    }
  }
  printf("%d %d %d %d\n", a[0], a[63], a[64], a[127]);
  return 0;
}
