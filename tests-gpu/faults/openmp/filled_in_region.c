//! fault data-race
//! note All threads of a region fill the same array: each stores the same, but the region is each thread's own work.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int work[48] = {0};
#pragma omp parallel num_threads(64)
    {
      int t = omp_get_thread_num();
      //fixed: if (t == 0)
      for (int i = 0; i < 48; i++) work[i] = 3 * i; //~
#pragma omp barrier
      if (t < 48) work[t] += t;
    }
    for (int i = 0; i < 48; i++) out += work[i];
  }
  printf("%d\n", out);
  return 0;
}
