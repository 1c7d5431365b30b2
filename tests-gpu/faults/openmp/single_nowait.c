//! fault data-race
//! note A single region computes a factor that all threads use, and has nowait; the twin waits at its end.
#include <stdio.h>
int main(void) {
  int n = 96, factor = 0, a[96];
#pragma omp target parallel num_threads(96) map(tofrom : factor) map(from : a)
  {
#pragma omp single nowait //faulty
    //fixed: #pragma omp single
    factor = n / 12; //~
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = factor * i; //~
  }
  printf("%d %d %d\n", a[1], a[50], a[95]);
  return 0;
}
