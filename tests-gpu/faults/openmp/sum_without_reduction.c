//! fault data-race
//! note All threads add to one sum; the twin has a reduction.
#include <stdio.h>
int main(void) {
  int sum = 0, a[256];
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : sum) //~ //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) reduction(+ : sum)
  for (int i = 0; i < 256; i++)
    sum += a[i]; //~
  printf("sum %d\n", sum);
  return 0;
}
