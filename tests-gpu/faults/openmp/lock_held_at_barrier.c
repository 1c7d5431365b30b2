//! fault livelock
//! environment WARPFOLD_STEP_LIMIT=20000000
//! note A thread waits at a barrier with a lock that the others need to get there; the twin releases it first.
#include <omp.h>
#include <stdio.h>
#pragma omp begin declare target
static omp_lock_t lock;
#pragma omp end declare target
int main(void) {
  int sum = 0, out[64];
#pragma omp target
  omp_init_lock(&lock);
#pragma omp target parallel num_threads(64) map(tofrom : sum) map(from : out) //~
  {
    int t = omp_get_thread_num();
    omp_set_lock(&lock); //~
    sum += t;
    //fixed: omp_unset_lock(&lock);
#pragma omp barrier //~
    out[t] = sum;
    omp_unset_lock(&lock); //faulty
  }
  printf("%d %d\n", out[0], out[63]);
  return 0;
}
