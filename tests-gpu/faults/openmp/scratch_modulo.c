//! fault data-race
//! note Threads select a slot by their number modulo 16, though there are 64; the twin has 64 slots.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[256], slots[64] = {0}, sum = 0;
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp target parallel num_threads(64) map(tofrom : slots) //~
  {
    int slot = omp_get_thread_num() % 16; //faulty
    //fixed: int slot = omp_get_thread_num();
    for (int i = omp_get_thread_num(); i < 256; i += 64)
      slots[slot] += a[i]; //~
  }
  for (int i = 0; i < 64; i++) sum += slots[i];
  printf("sum %d\n", sum);
  return 0;
}
