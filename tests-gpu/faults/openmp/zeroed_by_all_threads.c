//! fault data-race
//! note LLVM lets all threads clear the array, which the program does once: that is no race. That no barrier is between writes and reads of it is one.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int all[64] = {0};
#pragma omp parallel num_threads(64)
    {
      int t = omp_get_thread_num();
      all[t] = t; //~
      //fixed: #pragma omp barrier
      int v = all[(t + 33) % 64]; //~
#pragma omp atomic
      out += v;
    }
  }
  printf("%d\n", out);
  return 0;
}
