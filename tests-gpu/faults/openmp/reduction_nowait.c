//! fault data-race
//! note The result of a reduction is used right after a loop with nowait; the twin has no nowait.
#include <stdio.h>
int main(void) {
  double total = 0, a[64];
  for (int i = 0; i < 64; i++) a[i] = i + 1;
#pragma omp target parallel num_threads(64) map(tofrom : a, total)
  {
#pragma omp for reduction(+ : total) nowait //~ //faulty
    //fixed: #pragma omp for reduction(+ : total)
    for (int i = 0; i < 64; i++)
      total += a[i];
#pragma omp for
    for (int i = 0; i < 64; i++)
      a[i] /= total; //~
  }
  printf("%g %g\n", a[0] * 2080, a[63] * 2080);
  return 0;
}
