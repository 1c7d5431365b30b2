//! fault data-race
//! note A temporary variable is shared by the threads of a loop; in the twin it is private.
#include <stdio.h>
int main(void) {
  double t = 0, a[128], b[128];
  for (int i = 0; i < 128; i++) a[i] = b[i] = i;
  // Swap the halves of the two arrays.
#pragma omp target parallel for num_threads(64) map(tofrom : a, b, t) //faulty
  //fixed: #pragma omp target parallel for num_threads(64) map(tofrom : a, b) private(t)
  for (int i = 0; i < 128; i++) {
    t = a[i]; //~
    a[i] = b[127 - i];
    b[127 - i] = t; //~
  }
  printf("%g %g %g %g\n", a[0], a[127], b[0], b[127]);
  return 0;
}
