//! fault data-race
//! note Two sections use one variable for their sums; in the twin each has its own.
#include <stdio.h>
int main(void) {
  int n = 100, s = 0, sums[2], a[100];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target map(from : sums) map(tofrom : s)
#pragma omp parallel sections num_threads(64) //faulty
  //fixed: #pragma omp parallel sections num_threads(64) private(s)
  {
#pragma omp section
    {
      s = a[n - 1]; //~
      for (int i = 0; i < n; i++) sums[0] = s += a[i]; //~
    }
#pragma omp section
    {
      s = 1; //~
      for (int i = n - 1; i > 90; i -= 3) s = s * a[i] % 1009; //~
      sums[1] = s; //~
    }
  }
  printf("%d %d\n", sums[0], sums[1]);
  return 0;
}
