//! fault data-race
//! note Two target regions with nowait write one array in any order; in the twin they depend on each other.
#include <stdio.h>
int main(void) {
  int n = 512, a[512];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait //faulty
    //fixed: #pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait depend(inout : a)
    for (int i = 0; i < n; i++)
      a[i] += 1; //~
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait //faulty
    //fixed: #pragma omp target teams distribute parallel for num_teams(4) thread_limit(128) nowait depend(inout : a)
    for (int i = 0; i < n; i++)
      a[i] *= 2; //~
#pragma omp taskwait
  }
  printf("%d %d\n", a[0], a[511]);
  return 0;
}
