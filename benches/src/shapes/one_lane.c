// A region without threads: one lane of one warp executes it.
#include "timer.h"

int main(void) {
  int n = 1 << 12, rounds = 200;
  int *next = malloc(n * sizeof *next);
  long s = 0;
  for (int i = 0; i < n; i++)
    next[i] = (i * 5 + 1) % n;
#pragma omp target enter data map(to : next[:n])
  while (bench_again()) {
#pragma omp target map(from : s)
    {
      long t = 0;
      for (int round = 0, i = 0; round < rounds; round++)
        for (int j = 0; j < n; j++) {
          i = next[i];
          if (i & 1)
            t += i * 3L;
          else
            t ^= i;
        }
      s = t;
    }
  }
  long t = 0;
  for (int round = 0, i = 0; round < rounds; round++)
    for (int j = 0; j < n; j++) {
      i = next[i];
      if (i & 1)
        t += i * 3L;
      else
        t ^= i;
    }
#pragma omp target exit data map(delete : next[:n])
  return s != t;
}
