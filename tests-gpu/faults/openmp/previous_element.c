//! fault data-race
//! note Each iteration uses the result of the one before; the twin executes the loop in one thread.
#include <stdio.h>
int main(void) {
  int a[200];
  for (int i = 0; i < 200; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : a) //faulty
  //fixed: #pragma omp target map(tofrom : a)
  for (int i = 1; i < 200; i++)
    a[i] = a[i] + a[i - 1]; //~
  printf("%d %d\n", a[100], a[199]);
  return 0;
}
