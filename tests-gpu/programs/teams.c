// More teams than records in the reduction buffer: slots of the image, which one launch at a time uses, and the buffer's
// records, which teams then share. Sums of floats have the same bits in every launch. They are written to stderr, for
// tests/offload.rs, which compares them over orders of execution.
#include <stdio.h>
#include <stdlib.h>

enum { TEAMS = 3200, COLUMNS = 48, N = TEAMS * 32 };

static int failures;
static float *a;

static void check(const char *what, double got, double expected) {
  if (!(got == expected) && failures++ < 20) printf("%s: %.17g, not %.17g\n", what, got, expected);
}

static float sum(int teams) {
  float s = 0;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(+ : s)
  for (int i = 0; i < N; i++) s += a[i];
  return s;
}

// 384 bytes a record: too many for the image's slots.
static void columns(int teams) {
  long s[COLUMNS];
  for (int j = 0; j < COLUMNS; j++) s[j] = j;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(32) reduction(+ : s)
  for (int i = 0; i < teams; i++)
    for (int j = 0; j < COLUMNS; j++) s[j] += i * j + 1;
  for (int j = 0; j < COLUMNS; j++) check("columns", s[j], j + teams + (long)teams * (teams - 1) / 2 * j);
}

// Launches of several host threads at the same time. LLVM loses the memory for their records, which its own allocator
// frees in the end if it is less than 8 KiB.
static void several(int threads) {
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(+ : failures)
  for (int t = 0; t < threads; t++) {
    int sums[4] = {0};
    for (int r = 0; r < 4; r++) {
      int *s = &sums[r];
#pragma omp target teams distribute parallel for num_teams(1100) thread_limit(32) map(tofrom : s[0 : 1]) \
    reduction(+ : s[0 : 1]) nowait
      for (int i = 0; i < 1100 * 32; i++) s[0] += i + t + r;
    }
#pragma omp taskwait
    for (int r = 0; r < 4; r++) {
      int n = 1100 * 32;
      if (sums[r] != n * (n - 1) / 2 + n * (t + r)) failures++, printf("thread %d, region %d: %d\n", t, r, sums[r]);
    }
  }
}

int main(void) {
  a = malloc(N * sizeof *a);
  double exact = 0;
  for (int i = 0; i < N; i++) exact += a[i] = 1.0f / (1 + i * 7919L % 10007);
#pragma omp target enter data map(to : a[0 : N])
  float first = sum(TEAMS);
  check("close to the exact sum", first > exact * 0.9999 && first < exact * 1.0001, 1);
  for (int launch = 0; launch < 3; launch++) check("the same bits", sum(TEAMS), first);
  columns(1100);
  columns(3000);
  check("the same bits after other reductions", sum(TEAMS), first);
  fprintf(stderr, "sum %a\n", first);
  several(4);
#pragma omp target exit data map(delete : a[0 : N])
  free(a);
  printf("%d failures\n", failures);
  return failures != 0;
}
