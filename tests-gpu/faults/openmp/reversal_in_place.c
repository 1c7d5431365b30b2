//! fault data-race
//! note Elements are exchanged with those at the other end, for the whole array; the twin stops in the middle.
#include <stdio.h>
int main(void) {
  int n = 200, a[200];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : a)
  for (int i = 0; i < n; i++) { //faulty
  //fixed: for (int i = 0; i < n / 2; i++) {
    int t = a[i]; //~
    a[i] = a[n - 1 - i]; //~
    a[n - 1 - i] = t; //~
  }
  printf("%d %d %d\n", a[0], a[99], a[199]);
  return 0;
}
