//! fault uninitialised
//! note One thread fills its private copy of the weights, and all use theirs; the twin has copyprivate.
#include <stdio.h>
int main(void) {
  int n = 8;
  double w[8], out[64];
#pragma omp target map(from : out)
#pragma omp parallel num_threads(64) private(w)
  {
#pragma omp single //faulty
    //fixed: #pragma omp single copyprivate(w)
    for (int k = 0; k < n; k++) w[k] = 0.5 * k;
#pragma omp for
    for (int i = 0; i < 64; i++)
      out[i] = w[i % n] + i; //~
  }
  printf("%g %g %g\n", out[0], out[33], out[63]);
  return 0;
}
