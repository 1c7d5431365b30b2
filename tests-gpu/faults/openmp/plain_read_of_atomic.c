//! fault data-race
//! note Threads add atomically and then read the sum plainly; the twin has a barrier before the read.
#include <stdio.h>
int main(void) {
  int total = 0, share[64], a[64];
  for (int i = 0; i < 64; i++) a[i] = i + 1;
#pragma omp target parallel num_threads(64) map(tofrom : total) map(from : share)
  {
#pragma omp for nowait
    for (int i = 0; i < 64; i++)
#pragma omp atomic
      total += a[i]; //~
    //fixed: #pragma omp barrier
#pragma omp for
    for (int i = 0; i < 64; i++)
      share[i] = total / a[i]; //~
  }
  printf("%d %d %d\n", share[0], share[9], share[63]);
  return 0;
}
