//! fault data-race
//! note Every thread sets a global pointer to its row; in the twin each has a pointer of its own.
#include <stdio.h>
#pragma omp begin declare target
static int *row;
#pragma omp end declare target
int main(void) {
  int a[64][4];
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : a)
  for (int i = 0; i < 64; i++) {
    //fixed: int *row;
    row = a[i]; //~
    for (int k = 0; k < 4; k++)
      row[k] = 10 * i + k; //~
  }
  printf("%d %d\n", a[0][0], a[63][3]);
  return 0;
}
