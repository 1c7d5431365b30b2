//! fault barrier
//! note A critical region calls a function with a barrier, where no other thread can get to; the twin has it behind the region.
#include <omp.h>
#include <stdio.h>
static void add(int *sum, int value) {
  *sum += value; //~
#pragma omp barrier //~ //faulty
}
int main(void) {
  int sum = 0, out[64];
#pragma omp target parallel num_threads(64) map(tofrom : sum) map(from : out) //~
  {
    int t = omp_get_thread_num();
#pragma omp critical //~
    add(&sum, t); //~
    //fixed: #pragma omp barrier
    out[t] = sum - t;
  }
  printf("%d %d\n", out[0], out[63]);
  return 0;
}
