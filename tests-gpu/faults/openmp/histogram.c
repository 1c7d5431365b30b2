//! fault data-race
//! note Threads count in the bins of a histogram; the twin counts atomically.
#include <stdio.h>
int main(void) {
  int bins[8] = {0}, a[300];
  for (int i = 0; i < 300; i++) a[i] = i * i;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(tofrom : bins)
  for (int i = 0; i < 300; i++)
    //fixed: #pragma omp atomic
    bins[a[i] % 8]++; //~
  for (int i = 0; i < 8; i++) printf("%d ", bins[i]);
  printf("\n");
  return 0;
}
