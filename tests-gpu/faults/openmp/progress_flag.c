//! fault data-race
//! note Threads look at a plain variable that another thread sets, to stop early; the twin has atomic accesses.
#include <stdio.h>
int main(void) {
  int stop = 0, found = 0, a[256];
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : stop, found)
  for (int i = 0; i < 256; i++) {
    int stopped;
    //fixed: #pragma omp atomic read
    stopped = stop; //~
    if (a[i] == 100) {
      found = i;
      //fixed: #pragma omp atomic write
      stop = 1; //~
    } else if (stopped && a[i] < 0)
      found = -1;
  }
  printf("found at %d\n", found);
  return 0;
}
