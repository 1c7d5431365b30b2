//! fault uninitialised
//! note The last element of a local array is not set before all are added; the twin sets it.
#include <stdio.h>
int main(void) {
  int n = 12, a[64], out[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : out)
  for (int i = 0; i < 64; i++) {
    int window[16];
    for (int k = 0; k < n - 1; k++) //faulty
    //fixed: for (int k = 0; k < n; k++)
      window[k] = a[(i + k) % 64];
    int sum = 0;
    for (int k = 0; k < n; k++) sum += window[(k * 5 + i) % n]; //~
    out[i] = sum; //~
  }
  printf("%d %d\n", out[0], out[63]);
  return 0;
}
