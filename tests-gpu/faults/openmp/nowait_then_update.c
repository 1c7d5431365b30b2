//! fault data-race
//! note The array is copied to the host while a target region with nowait may still write it; the twin waits first.
#include <stdio.h>
int main(void) {
  int n = 512, a[512];
  for (int i = 0; i < n; i++) a[i] = -1;
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait
    for (int i = 0; i < n; i++)
      a[i] = 5 * i; //~
    //fixed: #pragma omp taskwait
#pragma omp target update from(a) //~
#pragma omp taskwait
  }
  printf("%d %d\n", a[0], a[511]);
  return 0;
}
