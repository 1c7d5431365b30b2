//! fault out-of-bounds
//! note The first iteration stores to the element before the array; the twin begins one later.
#include <stdio.h>
int main(void) {
  int n = 64, a[64], b[64];
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(to : a) map(tofrom : b)
  for (int i = 0; i < n; i++) //faulty
  //fixed: for (int i = 1; i < n; i++)
    b[i - 1] = a[i] * 3; //~
  printf("%d %d\n", b[0], b[62]);
  return 0;
}
