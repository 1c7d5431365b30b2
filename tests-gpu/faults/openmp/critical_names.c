//! fault data-race
//! note One variable is guarded by critical regions of two names; in the twin the names are the same.
#include <stdio.h>
int main(void) {
  int balance = 1000, a[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(tofrom : balance)
  for (int i = 0; i < 64; i++) {
    if (a[i] % 2) {
#pragma omp critical(deposit)
      balance += a[i]; //~
    } else {
#pragma omp critical(withdraw) //faulty
      //fixed: #pragma omp critical(deposit)
      balance -= a[i]; //~
    }
  }
  printf("balance %d\n", balance);
  return 0;
}
