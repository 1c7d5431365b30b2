//! fault data-race
//! note The loop over k adds to c[i] and is collapsed with the loop over i; the twin collapses nothing.
#include <stdio.h>
int main(void) {
  int m[32][16], c[32] = {0};
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 16; k++) m[i][k] = i + k;
#pragma omp target teams distribute parallel for collapse(2) num_teams(4) thread_limit(64) map(tofrom : c) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : c)
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 16; k++)
      c[i] += m[i][k]; //~
  printf("%d %d\n", c[0], c[31]);
  return 0;
}
