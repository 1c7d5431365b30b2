//! fault barrier
//! note The threads' loops have different numbers of iterations, each with a barrier; in the twin all have as many.
#include <omp.h>
#include <stdio.h>
static void step(int *a, int i, int n) {
  if (i < n) a[i] += i; //~
#pragma omp barrier //~
}
int main(void) {
  int n = 200, a[200];
  for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp target parallel num_threads(64) map(tofrom : a) //~
  {
    for (int i = omp_get_thread_num(); i < n; i += 64) //~ //faulty
    //fixed: for (int i = omp_get_thread_num(); i < 256; i += 64)
      step(a, i, n);
#pragma omp barrier //~
    if (omp_get_thread_num() == 0) a[0] += a[199];
  }
  printf("%d %d\n", a[0], a[199]);
  return 0;
}
