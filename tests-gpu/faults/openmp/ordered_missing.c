//! fault data-race
//! note A value goes through all iterations, which are not ordered; in the twin they are.
#include <stdio.h>
int main(void) {
  unsigned hash = 7, a[64];
  for (int i = 0; i < 64; i++) a[i] = i * i;
#pragma omp target map(tofrom : hash, a)
#pragma omp parallel for num_threads(64) //faulty
  //fixed: #pragma omp parallel for num_threads(64) ordered
  for (int i = 0; i < 64; i++) {
    a[i] += 1;
    //fixed: #pragma omp ordered
    hash = hash * 31 + a[i]; //~
  }
  printf("hash %u\n", hash);
  return 0;
}
