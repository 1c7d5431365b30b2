//! fault data-race
//! note Threads of one warp read elements of a shared tile that others store; the twin has a barrier between.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[128], b[128];
  for (int i = 0; i < 128; i++) a[i] = i * i;
#pragma omp target teams num_teams(4) thread_limit(64) map(to : a) map(from : b)
  {
    int tile[32], first = omp_get_team_num() * 32;
#pragma omp parallel num_threads(32)
    {
      int t = omp_get_thread_num();
      tile[t] = a[first + t]; //~
      //fixed: #pragma omp barrier
      b[first + t] = tile[31 - t]; //~
    }
  }
  printf("%d %d %d\n", b[0], b[31], b[127]);
  return 0;
}
