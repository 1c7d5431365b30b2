//! fault data-race
//! note Steps of a scan in place have one barrier each, so elements are overwritten while others read them; the twin has two.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 128, a[128];
  for (int i = 0; i < n; i++) a[i] = i + 1;
#pragma omp target parallel num_threads(128) map(tofrom : a)
  {
    int t = omp_get_thread_num();
    for (int distance = 1; distance < n; distance *= 2) {
      int before = t >= distance ? a[t - distance] : 0; //~
      //fixed: #pragma omp barrier
      a[t] += before; //~
#pragma omp barrier
    }
  }
  printf("%d %d %d\n", a[0], a[63], a[127]);
  return 0;
}
