//! fault data-race
//! note A region of all threads of the block behind an array that LLVM lets all threads clear: none begins the region before all have done that. In the faulty program a thread looks at its neighbour's element, too.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int all[1025] = {0};
#pragma omp parallel
    {
      int t = omp_get_thread_num();
      all[t] = 2 * t; //~
      if (all[t + 1] > 5000) all[1024] = 1; //~ //faulty
#pragma omp atomic
      out += omp_get_num_threads() > 1;
    }
    for (int i = 0; i < 20; i++) out += all[i];
  }
  printf("%d\n", out > 0);
  return 0;
}
