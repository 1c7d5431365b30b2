//! fault data-race
//! note Iterations depend on those eight before; the twin runs eight at a time, by a sequential loop around them.
#include <stdio.h>
int main(void) {
  int a[160] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp target parallel num_threads(32) map(tofrom : a)
  {
#pragma omp for //faulty
    for (int j = 8; j < 160; j += 8)
      //fixed: #pragma omp for
      for (int i = j; i < j + 8; i++)
        a[i] = a[i - 8] + 1; //~
  }
  printf("%d %d\n", a[8], a[159]);
  return 0;
}
