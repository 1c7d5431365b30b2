//! fault data-race
//! note A table with initial values, which LLVM lets all threads copy. In the faulty program each thread then changes an element that others read.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int out = 0;
#pragma omp target map(tofrom : out)
  {
    int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
#pragma omp parallel num_threads(96)
    {
      int t = omp_get_thread_num();
      //fixed: #pragma omp atomic
      table[t % 16] += 1; //~
      //fixed: #pragma omp barrier
      int v = table[(t + 5) % 16]; //~
#pragma omp atomic
      out += v;
    }
  }
  printf("%d\n", out);
  return 0;
}
