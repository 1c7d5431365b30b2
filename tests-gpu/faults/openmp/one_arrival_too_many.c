//! fault livelock
//! environment WARPFOLD_STEP_LIMIT=20000000
//! note A thread waits for one arrival more than there are threads; the twin waits for the right number.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int arrived = 0, expected = 64, seen_by_last = 0;
  expected += 1; //faulty
#pragma omp target parallel num_threads(64) map(tofrom : arrived, seen_by_last)
  {
#pragma omp atomic
    arrived++;
    if (omp_get_thread_num() == 63) {
      int seen = 0;
      while (seen < expected) //~
#pragma omp atomic read
        seen = arrived; //~
      seen_by_last = seen;
    }
  }
  printf("%d\n", seen_by_last);
  return 0;
}
