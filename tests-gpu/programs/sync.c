// Critical regions, locks, single, masked, barriers and flushes. Prints how many checks failed.
#include <omp.h>
#include <stdio.h>

static int failures = 0;

static void check(const char *what, long got, long expected) {
  if (got != expected) {
    failures++;
    printf("%s: %ld, not %ld\n", what, got, expected);
  }
}

enum { TEAMS = 7, THREADS = 64 };

static void critical(void) {
  long a = 0, b = 0;
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(THREADS) map(tofrom : a, b)
  for (int i = 0; i < 1000; i++) {
#pragma omp critical
    a = a + i;
#pragma omp critical(other) hint(omp_sync_hint_contended)
    {
      b = b + 1;
      b = b + 1;
    }
  }
  check("critical", a, 999 * 500);
  check("critical with a hint", b, 2000);
}

#pragma omp begin declare target
static omp_lock_t lock;
static omp_nest_lock_t nest;
static volatile long guarded;
#pragma omp end declare target

static void locks(void) {
  long sum = 0, tested = 0, depth = 0, depths = 0;
#pragma omp target
  {
    omp_init_lock(&lock);
    omp_init_nest_lock_with_hint(&nest, omp_sync_hint_none);
    guarded = 0;
  }
  // Lanes of one warp compete.
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(THREADS)
  for (int i = 0; i < 500; i++) {
    omp_set_lock(&lock);
    guarded = guarded + i;
    omp_unset_lock(&lock);
  }
#pragma omp target map(from : sum)
  sum = guarded;
  check("locks", sum, 499 * 250);
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(THREADS) map(tofrom : tested)
  for (int i = 0; i < 300; i++) {
    while (!omp_test_lock(&lock))
      ;
    tested = tested + 1;
    omp_unset_lock(&lock);
  }
  check("tested locks", tested, 300);
#pragma omp target map(tofrom : depth)
  {
    omp_set_lock(&lock);
    depth += omp_test_lock(&lock) ? 100 : 1; // fails: the lock is held, by this thread
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    depth += 10 * omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    depth += 100 * omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  check("nested", depth, 131);
#pragma omp target parallel num_threads(THREADS) map(tofrom : depths)
  {
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    depths = depths + 1;
    omp_unset_nest_lock(&nest);
    depths = depths + 1;
    omp_unset_nest_lock(&nest);
  }
  check("nested in many threads", depths, 2 * THREADS);
#pragma omp target
  {
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
  }
}

static void some_threads(void) {
  int singles = 0, masters = 0, masked = 0, number = -1, sections[3] = {0}, copied = 0, flags = 0;
#pragma omp target parallel num_threads(THREADS)                                                               \
    map(tofrom : singles, masters, masked, number, sections, copied, flags)
  {
    int local;
#pragma omp single
    singles++;
#pragma omp single nowait
    singles += 10;
#pragma omp master
    masters++;
#pragma omp masked filter(5)
    {
      masked++;
      number = omp_get_thread_num();
    }
#pragma omp sections
    {
#pragma omp section
      sections[0]++;
#pragma omp section
      sections[1]++;
#pragma omp section
      sections[2]++;
    }
#pragma omp single
    flags = 7;
    local = flags; // after the barrier of single
#pragma omp atomic
    copied += local;
#pragma omp flush
  }
  check("single", singles, 11);
  check("master", masters, 1);
  check("masked", masked, 1);
  check("its number", number, 5);
  for (int i = 0; i < 3; i++)
    check("section", sections[i], 1);
  check("after single", copied, 7 * THREADS);
}

// Barriers in regions of the whole block or a part of it, of whole warps or not, in many rounds.
static void barriers(void) {
  int sizes[] = {2, 7, 31, 32, 64, 96, 128};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k], bad = 0, real = 0;
#pragma omp target map(tofrom : bad, real)
    {
      int round[128];
#pragma omp parallel num_threads(n) shared(round)
      {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int r = 0; r < 20; r++) {
          round[me] = r;
#pragma omp barrier
          if (round[(me + r) % all] != r) {
#pragma omp atomic
            bad++;
          }
#pragma omp barrier
        }
        if (me == 0)
          real = all;
      }
    }
    check("rounds", bad, 0);
    check("threads", real >= (n < 32 ? n : 32) && real <= n, 1);
  }
}

struct pair {
  double x;
  char name[100];
};

static void copy(void) {
  int got = 0, same = 0;
#pragma omp target map(tofrom : got, same)
  {
    int values[64];
    for (int i = 0; i < 64; i++)
      values[i] = 0;
#pragma omp parallel num_threads(64) shared(values)
    {
      int *mine = &values[omp_get_thread_num()];
      struct pair p = {0, "none"};
      char c = 0;
      for (int round = 1; round < 4; round++) {
#pragma omp single copyprivate(mine, p, c)
        {
          *mine = 42;
          p.x = round;
          p.name[99] = (char)(7 * round);
          c = (char)round;
        }
        if (p.x != round || p.name[99] != 7 * round || c != round || p.name[0] != 'n') {
#pragma omp atomic
          same++;
        }
      }
      // All have the address that the single thread had.
#pragma omp atomic
      got += *mine;
    }
  }
  check("copyprivate", got, 42 * 64);
  check("of a struct", same, 0);
}

static void cancelled(void) {
  int n = 0;
#pragma omp target parallel num_threads(32) map(tofrom : n)
  {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
#pragma omp atomic
    n++;
  }
  check("cancellation is off", n, 32);
}

// Regions of numbers of threads that are no multiples of a warp's: fewer are started, and these meet at barriers.
static void odd_regions(void) {
  int asked[] = {33, 100, 127}, threads[3] = {0}, before[3] = {0}, seen[3] = {0};
#pragma omp target map(tofrom : asked, threads, before, seen) thread_limit(128)
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(asked[i]) firstprivate(i)
    {
      if (omp_get_thread_num() == 0) threads[i] = omp_get_num_threads();
#pragma omp atomic
      before[i]++;
#pragma omp barrier
      if (before[i] == omp_get_num_threads()) {
#pragma omp atomic
        seen[i]++;
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    check("threads that a region of that many gets", threads[i] > 0 && threads[i] <= asked[i], 1);
    check("threads before the barrier", before[i], threads[i]);
    check("threads that have seen all of them behind it", seen[i], threads[i]);
  }
}

int main(void) {
  odd_regions();
  critical();
  locks();
  some_threads();
  barriers();
  copy();
  cancelled();
  printf("%d failures\n", failures);
  return failures != 0;
}
