//! fault data-race
//! note Threads increment one counter where a condition holds; the twin does so atomically.
#include <stdio.h>
int main(void) {
  int n = 250, count = 0;
  float x[250];
  for (int i = 0; i < n; i++) x[i] = i * 0.5f;
#pragma omp target parallel for num_threads(64) map(tofrom : count) //~
  for (int i = 0; i < n; i++)
    if (x[i] > 10)
      //fixed: #pragma omp atomic
      count++; //~
  printf("%d above 10\n", count);
  return 0;
}
