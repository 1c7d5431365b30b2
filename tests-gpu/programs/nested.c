#include <stdio.h>

/* Reductions of nested regions: each is executed by the thread that encounters it. */
int main(void) {
  enum { N = 150, M = 9 };
  long sums[N], total = 3, expected = 3;
#pragma omp target teams distribute parallel for map(from : sums) reduction(+ : total) thread_limit(64)
  for (int i = 0; i < N; i++) {
    long inner = i;
#pragma omp parallel for reduction(+ : inner)
    for (int j = 0; j < M; j++) inner += j * i + 1;
    sums[i] = inner;
    total += inner;
  }
  int failures = 0;
  for (int i = 0; i < N; i++) {
    long want = i;
    for (int j = 0; j < M; j++) want += j * i + 1;
    expected += want;
    if (sums[i] != want) {
      failures++;
      printf("%d: %ld, expected %ld\n", i, sums[i], want);
    }
  }
  if (total != expected) {
    failures++;
    printf("total: %ld, expected %ld\n", total, expected);
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
