//! fault data-race
//! note Of two sums the reduction lists one; the twin lists both.
#include <stdio.h>
int main(void) {
  double sum = 0, squares = 0, a[100];
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : a, squares) reduction(+ : sum) //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : a) reduction(+ : sum, squares)
  for (int i = 0; i < 100; i++) {
    sum += a[i];
    a[i] *= a[i];
    squares += a[i]; //~
  }
  printf("mean %g, mean square %g, %g\n", sum / 100, squares / 100, a[99]);
  return 0;
}
