//! fault data-race
//! note Every thread that finds the value stores its index; the twin takes the lowest by a reduction.
#include <stdio.h>
int main(void) {
  int found = 1000, a[192];
  for (int i = 0; i < 192; i++) a[i] = i % 10;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(tofrom : found) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) reduction(min : found)
  for (int i = 0; i < 192; i++)
    if (a[i] == 7)
      found = i; //~
  printf("first at %d\n", found);
  return 0;
}
