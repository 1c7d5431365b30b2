//! fault data-race
//! note Each iteration reads an element that the next one overwrites; the twin stores into another array.
#include <stdio.h>
int main(void) {
  int a[201], b[201];
  for (int i = 0; i < 201; i++) a[i] = b[i] = i * i;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : a, b)
  for (int i = 0; i < 200; i++)
    a[i] = a[i + 1] - a[i]; //~ //faulty
    //fixed: b[i] = a[i + 1] - a[i];
  printf("%d %d\n", a[0] + b[1], a[1] + b[199]);
  return 0;
}
