//! fault data-race
//! note Writers take a lock and the reader of the two values does not; in the twin it does.
#include <omp.h>
#include <stdio.h>
#pragma omp begin declare target
static omp_lock_t lock;
static int low, high;
#pragma omp end declare target
int main(void) {
  int differences = 0, a[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp target
  omp_init_lock(&lock);
#pragma omp target parallel for num_threads(64) map(tofrom : differences)
  for (int i = 0; i < 64; i++) {
    if (a[i] != 40) {
      omp_set_lock(&lock);
      low = a[i]; //~
      high = a[i]; //~
      omp_unset_lock(&lock);
    } else {
      //fixed: omp_set_lock(&lock);
      differences = high - low; //~
      //fixed: omp_unset_lock(&lock);
    }
  }
  printf("difference %d\n", differences);
  return 0;
}
