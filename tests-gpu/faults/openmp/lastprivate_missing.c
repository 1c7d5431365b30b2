//! fault data-race
//! note All iterations store into a variable of which the last value is used; in the twin it is lastprivate.
#include <stdio.h>
int main(void) {
  int last = 0, a[128];
  for (int i = 0; i < 128; i++) a[i] = i * i;
#pragma omp target map(tofrom : last)
#pragma omp parallel for num_threads(64) //faulty
  //fixed: #pragma omp parallel for num_threads(64) lastprivate(last)
  for (int i = 0; i < 128; i++)
    last = a[i] + 1; //~
  printf("last %d\n", last);
  return 0;
}
