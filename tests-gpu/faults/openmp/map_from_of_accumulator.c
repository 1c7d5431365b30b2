//! fault uninitialised
//! note An array that the loop adds to is mapped from the device only; the twin maps it tofrom.
#include <stdio.h>
int main(void) {
  int counts[64], a[640];
  for (int i = 0; i < 640; i++) a[i] = i * i % 5;
  for (int i = 0; i < 64; i++) counts[i] = 100;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : counts) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(tofrom : counts)
  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 10; k++)
      if (a[10 * i + k] == 4) counts[i] += 1; //~
  printf("%d %d\n", counts[0], counts[63]);
  return 0;
}
