//! fault data-race
//! note Iterations of a doacross loop signal that they are done, but do not wait; in the twin they wait for the one before.
#include <stdio.h>
int main(void) {
  int a[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp target map(tofrom : a)
#pragma omp parallel num_threads(64)
#pragma omp for ordered(1)
  for (int i = 1; i < 64; i++) {
    //fixed: #pragma omp ordered depend(sink : i - 1)
    a[i] += a[i - 1]; //~
#pragma omp ordered depend(source)
  }
  printf("%d %d\n", a[31], a[63]);
  return 0;
}
