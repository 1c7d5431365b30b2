//! fault data-race
//! note The maximum is read outside the critical region that changes it, to enter it less often; the twin always enters it.
#include <stdio.h>
int main(void) {
  int best = -1, a[160];
  for (int i = 0; i < 160; i++) a[i] = i * 61 % 157;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(tofrom : best)
  for (int i = 0; i < 160; i++)
    if (a[i] > best) //~ //faulty
#pragma omp critical
      if (a[i] > best) best = a[i]; //~
  printf("largest %d\n", best);
  return 0;
}
