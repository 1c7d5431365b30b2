//! fault data-race
//! note The second target region does not wait for the first, which has nowait; the twin has a taskwait between them.
#include <stdio.h>
int main(void) {
  int n = 512, a[512], b[512];
#pragma omp target data map(alloc : a) map(from : b)
  {
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128)
    for (int i = 0; i < n; i++)
      a[i] = 0;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait
    for (int i = 0; i < n; i++)
      a[i] = 2 * i; //~
    //fixed: #pragma omp taskwait
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128)
    for (int i = 0; i < n; i++)
      b[i] = a[n - 1 - i]; //~
#pragma omp taskwait
  }
  printf("%d %d\n", b[0], b[511]);
  return 0;
}
