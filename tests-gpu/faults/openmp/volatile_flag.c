//! fault data-race
//! note A volatile flag announces data, without a flush; the twin writes and reads the flag with release and acquire.
#include <omp.h>
#include <stdio.h>
#pragma omp begin declare target
static volatile int flag = 0;
#pragma omp end declare target
int main(void) {
  int data = 0, got = 0, number = 42;
#pragma omp target parallel num_threads(64) map(tofrom : data, got)
  {
    if (omp_get_thread_num() == 0) {
      data = number; //~
      //fixed: #pragma omp atomic write release
      flag = 1;
    } else if (omp_get_thread_num() == 32) {
      int seen = 0;
      while (!seen)
        //fixed: #pragma omp atomic read acquire
        seen = flag;
      got = data; //~
    }
  }
  printf("got %d\n", got);
  return 0;
}
