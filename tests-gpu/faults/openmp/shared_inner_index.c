//! fault data-race
//! note The index of the inner loop is mapped and so shared by all threads; in the twin it is private.
#include <stdio.h>
int main(void) {
  int b[64], m = 8, j = 0;
#pragma omp target parallel for num_threads(64) map(from : b) map(tofrom : j) //faulty
  //fixed: #pragma omp target parallel for num_threads(64) map(from : b) private(j)
  for (int i = 0; i < 64; i++) {
    b[i] = 0;
    for (j = 0; j < m; j++) //~
      b[i] += i * j; //~
  }
  printf("%d %d\n", b[1], b[63]);
  return 0;
}
