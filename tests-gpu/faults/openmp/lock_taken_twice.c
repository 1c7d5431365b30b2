//! fault livelock
//! environment WARPFOLD_STEP_LIMIT=20000000
//! note A function that takes a lock calls another that takes it again; the twin has nestable locks.
#include <omp.h>
#include <stdio.h>
#pragma omp begin declare target
static omp_lock_t lock; //faulty
//fixed: static omp_nest_lock_t lock;
#pragma omp end declare target
int main(void) {
  int sum = 0, a[32];
  for (int i = 0; i < 32; i++) a[i] = i;
#pragma omp target
  omp_init_lock(&lock); //faulty
  //fixed: omp_init_nest_lock(&lock);
#pragma omp target parallel for num_threads(32) map(tofrom : sum) //~
  for (int i = 0; i < 32; i++) {
    omp_set_lock(&lock); //~ //faulty
    //fixed: omp_set_nest_lock(&lock);
    if (a[i] >= 0) { //~
      omp_set_lock(&lock); //~ //faulty
      //fixed: omp_set_nest_lock(&lock);
      sum += a[i];
      omp_unset_lock(&lock); //faulty
      //fixed: omp_unset_nest_lock(&lock);
    }
    omp_unset_lock(&lock); //faulty
    //fixed: omp_unset_nest_lock(&lock);
  }
  printf("sum %d\n", sum);
  return 0;
}
