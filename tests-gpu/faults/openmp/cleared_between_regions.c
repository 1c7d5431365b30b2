//! fault data-race
//! note Two regions with an array between them that LLVM lets all threads clear. In the faulty program the second one has no barrier.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int first[100] = {0};
#pragma omp parallel num_threads(96)
    first[omp_get_thread_num()] = 1;
    int second[100] = {0};
#pragma omp parallel num_threads(96)
    {
      int t = omp_get_thread_num();
      second[t] = first[t] + t; //~
      //fixed: #pragma omp barrier
      int v = second[95 - t]; //~
#pragma omp atomic
      out += v;
    }
  }
  printf("%d\n", out);
  return 0;
}
