//! fault data-race
//! note Even iterations add atomically and odd ones do not; in the twin all do.
#include <stdio.h>
int main(void) {
  int sum = 0, a[128];
  for (int i = 0; i < 128; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : sum)
  for (int i = 0; i < 128; i++) {
    if (a[i] % 2 == 0) {
#pragma omp atomic
      sum += a[i]; //~
    } else {
      //fixed: #pragma omp atomic
      sum += 2 * a[i]; //~
    }
  }
  printf("sum %d\n", sum);
  return 0;
}
