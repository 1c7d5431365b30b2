//! fault data-race
//! note The last thread that arrives adds the results of all, which they have not flushed; the twin flushes around the count.
#include <stdio.h>
int main(void) {
  int n = 96, arrived = 0, part[96], total = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(32) map(tofrom : arrived, total) map(alloc : part)
  for (int i = 0; i < n; i++) {
    int before;
    part[i] = 10 * i + n; //~
    //fixed: #pragma omp flush
#pragma omp atomic capture
    before = arrived++;
    //fixed: #pragma omp flush
    if (before == n - 1)
      for (int k = 0; k < n; k++) total += part[k]; //~
  }
  printf("total %d\n", total);
  return 0;
}
