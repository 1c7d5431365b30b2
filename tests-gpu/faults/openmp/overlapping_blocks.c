//! fault data-race
//! note Each thread fills a block of 8 elements and the first of the next block; the twin ends one element earlier.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[520], sum = 0;
#pragma omp target parallel num_threads(64) map(from : a)
  {
    int first = 8 * omp_get_thread_num();
    for (int i = first; i <= first + 8; i++) //faulty
    //fixed: for (int i = first; i < first + 8; i++)
      a[i] = first + i % 3; //~
  }
  for (int i = 0; i < 512; i++) sum += a[i];
  printf("sum %d\n", sum);
  return 0;
}
