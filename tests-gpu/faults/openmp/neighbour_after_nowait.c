//! fault data-race
//! note The second loop reads neighbours' elements of the first, which has nowait; the twin has no nowait.
#include <stdio.h>
int main(void) {
  int a[129], b[128];
#pragma omp target map(from : a, b)
#pragma omp parallel num_threads(128)
  {
#pragma omp for nowait //faulty
    //fixed: #pragma omp for
    for (int i = 0; i < 129; i++)
      a[i] = 3 * i; //~
#pragma omp for
    for (int i = 0; i < 128; i++)
      b[i] = a[i + 1] - a[i]; //~
  }
  int sum = 0;
  for (int i = 0; i < 128; i++) sum += b[i];
  printf("sum %d\n", sum);
  return 0;
}
