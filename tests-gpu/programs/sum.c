//! prints 500500.0
#include <stdio.h>
int main(void) {
  enum { N = 1000 };
  double a[N], s = 0;
  for (int i = 0; i < N; i++) a[i] = i + 1;
#pragma omp target teams distribute parallel for reduction(+:s) map(to:a[0:N])
  for (int i = 0; i < N; i++) s += a[i];
  printf("%.1f\n", s);
  return s != N * (N + 1) / 2.0;
}
