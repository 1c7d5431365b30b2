//! fault data-race
//! note All threads of a region store the same value. That is a race, also in a kernel where LLVM lets all threads clear an array that the program clears once.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int flags[40] = {0};
#pragma omp parallel num_threads(64)
    {
      int t = omp_get_thread_num();
      //fixed: if (t == 7)
      flags[39] = 1; //~
      if (t < 39) flags[t] = t;
    }
    for (int i = 0; i < 40; i++) out += flags[i];
  }
  printf("%d\n", out);
  return 0;
}
