//! fault data-race
//! note All threads compare with one maximum and replace it; the twin has a reduction.
#include <stdio.h>
int main(void) {
  double best = 0, a[200];
  for (int i = 0; i < 200; i++) a[i] = i * 37 % 199 + 1;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : best) //~ //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) reduction(max : best)
  for (int i = 0; i < 200; i++)
    if (a[i] > best) //~
      best = a[i]; //~
  printf("largest %g\n", best);
  return 0;
}
