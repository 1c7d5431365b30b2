/* Sorting by Batcher's bitonic network: every stage is a target region that compares and exchanges pairs.
 * warpfold cc -O2 bitonic.c -o bitonic && warpfold run ./bitonic */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 11 };

static void sort(uint32_t *keys, int n) {
#pragma omp target data map(tofrom : keys[0 : n])
  for (int run = 2; run <= n; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) {
#pragma omp target teams distribute parallel for
      for (int pair = 0; pair < n / 2; pair++) {
        int low = pair / distance * distance * 2 + pair % distance, high = low + distance;
        uint32_t a = keys[low], b = keys[high];
        if ((a > b) == ((low & run) == 0)) keys[low] = b, keys[high] = a;
      }
    }
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

int main(void) {
  static uint32_t keys[N], expected[N];
  uint32_t state = 2463534242;
  for (int i = 0; i < N; i++) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    /* Some keys occur more than once. */
    keys[i] = expected[i] = i % 10 ? state : state % 5;
  }
  sort(keys, N);
  qsort(expected, N, sizeof *expected, compare);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += keys[i] != expected[i];
  printf("smallest %u, middle %u, largest %u\n", keys[0], keys[N / 2], keys[N - 1]);
  printf("%d keys are not in their place\n", wrong);
  return wrong != 0;
}
