//! fault data-race
//! note One thread swaps the arrays of a time step while others may still read the pointers; the twin has a barrier before.
#include <stdio.h>
#pragma omp begin declare target
static float *now, *next;
#pragma omp end declare target
int main(void) {
  int n = 66;
  float a[66] = {0}, b[66] = {0};
  a[33] = b[33] = 1024;
#pragma omp target parallel num_threads(64) map(tofrom : a, b)
  {
#pragma omp single
    now = a, next = b;
    for (int step = 0; step < 4; step++) {
#pragma omp for nowait //faulty
      //fixed: #pragma omp for
      for (int i = 1; i < n - 1; i++)
        next[i] = (now[i - 1] + now[i + 1]) / 2; //~
#pragma omp single
      { float *t = now; now = next; next = t; } //~
    }
  }
  printf("%g %g %g\n", a[33], a[31], a[29]);
  return 0;
}
