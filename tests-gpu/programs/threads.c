//! note tests/offload_threads.rs runs it with every change.
//! whole
// Eight host threads with 32 asynchronous target regions each: sums, and arrays that go both ways. Prints the number
// of wrong results.
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, REGIONS = 32, MOST = 3000 };

static const int SIZES[] = {1, 31, 33, 100, 1000, MOST};

// Element i of thread t for its region r; all sums are exact.
static long long value(int t, int r, int i) { return (t + 1) * 1000003LL + (r + 1) * 97LL + i % 13; }

int main(void) {
  int failures = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) reduction(+ : failures)
  for (int t = 0; t < THREADS; t++) {
    long long *in[REGIONS], *out[REGIONS], sums[REGIONS] = {0};
    for (int r = 0; r < REGIONS; r++) {
      int n = SIZES[(t + r) % 6];
      in[r] = malloc(n * sizeof(long long));
      out[r] = malloc(n * sizeof(long long));
      for (int i = 0; i < n; i++) in[r][i] = value(t, r, i), out[r][i] = i;
      long long *a = in[r], *b = out[r], *s = &sums[r];
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : b[0 : n], s[0 : 1])                 \
    reduction(+ : s[0 : 1]) nowait
      for (int i = 0; i < n; i++) {
        s[0] += a[i];
        b[i] += 2 * a[i];
      }
    }
#pragma omp taskwait
    for (int r = 0; r < REGIONS; r++) {
      int n = SIZES[(t + r) % 6];
      long long sum = 0;
      for (int i = 0; i < n; i++) {
        sum += value(t, r, i);
        failures += out[r][i] != i + 2 * value(t, r, i);
      }
      failures += sums[r] != sum;
      free(in[r]);
      free(out[r]);
    }
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
