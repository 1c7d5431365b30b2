//! fault data-race
//! note Two iterations store into the same element, through an array of indices; in the twin all indices differ.
#include <stdio.h>
int main(void) {
  int to[128], out[128] = {0}, sum = 0;
  for (int i = 0; i < 128; i++) to[i] = i * 6 % 128; //faulty
  //fixed: for (int i = 0; i < 128; i++) to[i] = i * 5 % 128;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : out)
  for (int i = 0; i < 128; i++)
    out[to[i]] = i; //~
  for (int i = 0; i < 128; i++) sum += out[i] * (i % 7);
  printf("sum %d\n", sum);
  return 0;
}
