//! fault data-race
//! note Contributions of one sign are added atomically, those of the other are not; in the twin all are.
#include <stdio.h>
int main(void) {
  int bins[4] = {0}, ix[160];
  float x[160];
  for (int i = 0; i < 160; i++) ix[i] = i / 5 % 4, x[i] = i % 3 - 1;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(tofrom : bins)
  for (int i = 0; i < 160; i++) {
    if (x[i] > 0) {
#pragma omp atomic update
      bins[ix[i]] += 10; //~
    } else {
      //fixed: #pragma omp atomic update
      bins[ix[i]] -= 1; //~
    }
  }
  printf("%d %d %d %d\n", bins[0], bins[1], bins[2], bins[3]);
  return 0;
}
