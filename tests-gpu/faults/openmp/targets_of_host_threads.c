//! fault data-race
//! note Two host threads launch target regions on the same array; the twin gives each thread a part of its own.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 256, a[512];
  for (int i = 0; i < 512; i++) a[i] = 1;
#pragma omp target enter data map(to : a)
#pragma omp parallel num_threads(2)
  {
    int first = 0; //faulty
    //fixed: int first = omp_get_thread_num() * n;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(128)
    for (int i = 0; i < n; i++)
      a[first + i] += i; //~
  }
#pragma omp target exit data map(from : a)
  printf("%d %d\n", a[255], a[511]);
  return 0;
}
