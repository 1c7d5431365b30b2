#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const int sizes[] = {0, 1, 2, 33, 1000, 4000};
  int failures = 0;
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    double *a = malloc((n + 1) * sizeof *a), s = 2.5, expected = 2.5;
    for (int i = 0; i < n; i++) expected += a[i] = i + 1;
#pragma omp target teams distribute reduction(+ : s) map(to : a[0 : n])
    for (int i = 0; i < n; i++) s += a[i];
    if (s != expected) {
      failures++;
      printf("n = %d: %.1f, expected %.1f\n", n, s, expected);
    }
    free(a);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
