//! fault uninitialised
//! note Indices are allocated on the device by an enter data and never updated there; the twin has a target update.
#include <stdio.h>
int main(void) {
  int n = 96, from[96], x[96], y[96];
#pragma omp target enter data map(alloc : from)
  for (int i = 0; i < n; i++) from[i] = (i + 37) % n, x[i] = i * i;
  //fixed: #pragma omp target update to(from)
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(from : y)
  for (int i = 0; i < n; i++)
    y[i] = x[from[i]]; //~
#pragma omp target exit data map(delete : from)
  printf("%d %d\n", y[0], y[95]);
  return 0;
}
