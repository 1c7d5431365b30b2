//! fault data-race
//! note Threads set two bit-fields of a byte at the same time; in the twin each has a byte of its own.
#include <stdio.h>
struct cell {
  unsigned char kind : 4, level : 4; //faulty
  //fixed: unsigned char kind, level;
};
int main(void) {
  int sum = 0;
  struct cell cells[64] = {{0, 0}};
#pragma omp target parallel num_threads(64) map(tofrom : cells)
  {
#pragma omp for nowait
    for (int i = 0; i < 64; i++)
      cells[i].kind = i % 11; //~
#pragma omp for
    for (int i = 0; i < 64; i++)
      cells[63 - i].level = i % 13; //~
  }
  for (int i = 0; i < 64; i++) sum += cells[i].kind * 16 + cells[i].level;
  printf("sum %d\n", sum);
  return 0;
}
