#include <stdio.h>

static int failures;

/* Launches `teams` blocks of `threads` over n iterations. Initial values are not the operators' identities,
   so that a result that is told to more than one thread counts them twice. */
static void shape(int teams, int threads, int n) {
  long sum = 5, expected_sum = 5;
  unsigned parity = 3, expected_parity = 3;
  int low = 100000, expected_low = 100000;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(threads)             \
    reduction(+ : sum) reduction(^ : parity) reduction(min : low)
  for (int i = 0; i < n; i++) {
    sum += (long)i * 7 % 1009 + 1;
    parity ^= (unsigned)i * 2654435761u;
    int t = 90000 - (i ^ 5);
    low = t < low ? t : low;
  }
  for (int i = 0; i < n; i++) {
    expected_sum += (long)i * 7 % 1009 + 1;
    expected_parity ^= (unsigned)i * 2654435761u;
    int t = 90000 - (i ^ 5);
    expected_low = t < expected_low ? t : expected_low;
  }
  if (sum != expected_sum || parity != expected_parity || low != expected_low) {
    failures++;
    printf("%d teams of %d, %d iterations: %ld %u %d, expected %ld %u %d\n", teams, threads, n, sum,
           parity, low, expected_sum, expected_parity, expected_low);
  }
}

int main(void) {
  /* Around the 1024 records of the reduction buffer, the most teams that libomptarget starts by
     itself, and many more. The last has more iterations than threads. */
  static const int teams[] = {1, 2, 31, 33, 1023, 1024, 1025, 3200, 65535};
  for (unsigned t = 0; t < sizeof teams / sizeof *teams; t++)
    shape(teams[t], 32, teams[t] * 32 + 17);
  static const int threads[] = {1, 32, 33, 96, 128, 1000, 1024};
  for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++) {
    shape(1, threads[t], 2 * threads[t] + 1);
    shape(5, threads[t], 5 * threads[t] + 3);
  }
  /* More teams than records in blocks of other sizes, and teams without an iteration. */
  shape(1025, 1, 2000);
  shape(1030, 33, 1030 * 33);
  shape(1100, 128, 1000);
  printf("%d failures\n", failures);
  return failures != 0;
}
