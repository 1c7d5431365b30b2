//! fault barrier
//! note A function with a barrier is called by a part of the threads; in the twin by all.
#include <omp.h>
#include <stdio.h>
static void add(int *a, int t, int n) {
  a[t] += t * n; //~
#pragma omp barrier //~
}
int main(void) {
  int n = 3, last = 0, a[128];
  for (int i = 0; i < 128; i++) a[i] = 0;
#pragma omp target parallel num_threads(128) map(tofrom : a, last) //~
  {
    int t = omp_get_thread_num();
    if (t < 40) add(a, t, n); //~ //faulty
    //fixed: add(a, t, n);
    // Threads that exit are not waited for: the others have to wait, too.
#pragma omp barrier //~
    if (t == 0) last = a[39];
  }
  printf("%d %d\n", a[0], last);
  return 0;
}
