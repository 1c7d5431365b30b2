//! fault data-race
//! note Thread 0 adds the partial sums of the others before they have finished; the twin has a barrier.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[256], sums[2];
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp target teams distribute num_teams(2) thread_limit(96) map(from : sums)
  for (int half = 0; half < 2; half++) {
    int part[96];
#pragma omp parallel
    {
      int t = omp_get_thread_num(), n = omp_get_num_threads(), s = 0;
      for (int i = t; i < 128; i += n) s += a[128 * half + i];
      part[t] = s; //~
      //fixed: #pragma omp barrier
      if (t == 0) {
        sums[half] = 0;
        for (int i = 0; i < n; i++) sums[half] += part[i]; //~
      }
    }
  }
  printf("%d %d\n", sums[0], sums[1]);
  return 0;
}
