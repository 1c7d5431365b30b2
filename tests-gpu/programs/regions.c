// Parallel regions: numbers of threads, shared variables, nested regions, cancellation.
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
__attribute__((noinline)) static void orphan(int *sum, int n) {
#pragma omp for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    *sum += i;
  }
#pragma omp single
  *sum += 1000;
#pragma omp barrier
}
__attribute__((noinline)) static void region(int *sum) {
#pragma omp parallel num_threads(32)
  {
#pragma omp atomic
    *sum += omp_get_num_threads();
  }
}
static int counter;
#pragma omp end declare target

static void sizes(void) {
  for (int wish = 1; wish <= 128; wish = wish * 2 + (wish == 8)) {
    int spmd[2] = {0}, generic[2] = {0}, between = 0;
#pragma omp target parallel num_threads(wish) map(tofrom : spmd)
    {
#pragma omp atomic
      spmd[0]++;
      if (omp_get_thread_num() == 0) spmd[1] = omp_get_num_threads();
    }
#pragma omp target map(tofrom : generic, between)
    {
      between = 1;
#pragma omp parallel num_threads(wish)
      {
#pragma omp atomic
        generic[0]++;
        if (omp_get_thread_num() == 0) generic[1] = omp_get_num_threads();
      }
      between += generic[0] == generic[1];
    }
    check("as many as they say", spmd[0], spmd[1]);
    check("not more than asked for", spmd[1] <= wish, 1);
    check("at least a part", 2 * spmd[1] > wish, 1);
    check("generic: as many as they say", generic[0], generic[1]);
    check("generic: not more than asked for", generic[1] <= wish, 1);
    check("generic: at least a part", 2 * generic[1] > wish || generic[1] >= 96, 1);
    check("seen by the main thread", between, 2);
  }
}

static void conditions(void) {
  int got[4] = {0};
  for (int k = 0; k < 2; k++) {
#pragma omp target map(tofrom : got)
    {
#pragma omp parallel if (k) num_threads(32)
      {
#pragma omp atomic
        got[k]++;
      }
#pragma omp parallel if (parallel : !k) num_threads(32)
      {
#pragma omp atomic
        got[2 + k] += 1 + omp_get_active_level();
      }
    }
  }
  check("if(0)", got[0], 1);
  check("if(1)", got[1], 32);
  check("if(parallel: 1)", got[2], 64);
  check("if(parallel: 0)", got[3], 1);
}

static void data(void) {
  int shared = 0, first = 5, none = 7, reduced = 2, copies[64], outer = 1;
#pragma omp target map(tofrom : shared, reduced, outer) map(from : copies) firstprivate(first)
  {
    int array[64], local = 3;
    for (int i = 0; i < 64; i++) array[i] = i;
#pragma omp parallel num_threads(64) default(none) shared(shared, array, local, copies, outer) firstprivate(first) \
    private(none) reduction(+ : reduced) proc_bind(spread)
    {
      int me = omp_get_thread_num();
      none = me;
      first += me;
      array[me] += local;
      reduced += none;
      copies[me] = first;
#pragma omp barrier
#pragma omp atomic
      shared += array[(me + 1) % 64];
      if (me == 0) outer += local;
    }
    shared += first;
  }
  check("shared", shared, 63 * 32 + 3 * 64 + 5);
  check("reduction", reduced, 2 + 63 * 32);
  check("outer", outer, 4);
  for (int i = 0; i < 64; i++) check("firstprivate", copies[i], 5 + i);
}

static void functions(void) {
  int sum = 0, in_region = 0, recursion = 0, twice = 0;
#pragma omp target map(tofrom : sum, in_region, recursion, twice)
  {
#pragma omp parallel num_threads(64)
    orphan(&sum, 100);
    region(&in_region);
    region(&in_region);
    recursion = depth(20);
#pragma omp parallel num_threads(32)
    region(&twice);
  }
  check("orphaned loop and single", sum, 4950 + 1000);
  check("region in a function", in_region, 2 * 32 * 32);
  check("recursion", recursion, 20);
  check("a function's region in a region", twice, 32);
}

static void levels(void) {
  int seen[6] = {0}, threads = 0;
#pragma omp target map(tofrom : seen, threads)
  {
    seen[0] = omp_get_level() * 10 + omp_get_active_level();
#pragma omp parallel num_threads(32)
    {
      if (omp_get_thread_num() == 1) seen[1] = omp_get_level() * 10 + omp_get_active_level();
#pragma omp parallel num_threads(8)
      {
        if (omp_get_ancestor_thread_num(1) == 2) seen[2] = omp_get_level() * 10 + omp_get_active_level();
#pragma omp atomic
        threads += omp_get_num_threads();
#pragma omp parallel for
        for (int i = 0; i < 3; i++)
          if (omp_get_ancestor_thread_num(1) == 3 && i == 2) seen[3] = omp_get_level() * 10 + omp_get_thread_num();
      }
    }
#pragma omp parallel if (0)
#pragma omp parallel num_threads(32)
    {
#pragma omp atomic
      seen[4]++;
    }
    seen[5] = omp_get_level();
  }
  check("outside", seen[0], 0);
  check("in one", seen[1], 11);
  check("in two", seen[2], 21);
  check("in three", seen[3], 30);
  check("inner regions have one thread", threads, 32);
  check("after a serialised one", seen[4] >= 1 && seen[4] <= 32, 1);
  check("back", seen[5], 0);
}

static void cancelled(void) {
  int sums[4] = {0};
#pragma omp target map(tofrom : sums)
  {
#pragma omp parallel num_threads(32)
    {
#pragma omp for
      for (int i = 0; i < 100; i++) {
#pragma omp atomic
        sums[0] += i;
#pragma omp cancel for if (i == 3)
#pragma omp cancellation point for
      }
#pragma omp sections
      {
#pragma omp section
        {
#pragma omp atomic
          sums[1]++;
#pragma omp cancel sections
        }
#pragma omp section
        {
#pragma omp cancellation point sections
#pragma omp atomic
          sums[1]++;
        }
      }
#pragma omp single
#pragma omp taskgroup
      {
        for (int i = 0; i < 5; i++) {
#pragma omp task
          {
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
#pragma omp atomic
            sums[2]++;
          }
        }
      }
      int sum;
#pragma omp atomic read
      sum = sums[3];
#pragma omp cancel parallel if (sum > 100)
#pragma omp cancellation point parallel
#pragma omp atomic
      sums[3]++;
    }
  }
  check("for", sums[0], 4950);
  check("sections", sums[1], 2);
  check("taskgroup", sums[2], 5);
  check("parallel", sums[3], 32);
}

// Constructs executed by one thread, by each thread, in order.
static void some(void) {
  enum { T = 64 };
  int order[T], masked[T] = {0}, at = 0, singles = 0, critical = 0, ordered = 0, scopes = 0, masters = 0;
#pragma omp target map(tofrom : order, masked, at, singles, critical, ordered, scopes, masters)
  {
    counter = 0;
#pragma omp parallel num_threads(T)
    {
      for (int k = 0; k < 3; k++) {
#pragma omp single
        singles++;
#pragma omp single nowait
        {
#pragma omp atomic
          singles++;
        }
#pragma omp masked filter(k + 1)
        masked[omp_get_thread_num()]++;
#pragma omp masked
        masters++;
#pragma omp scope nowait
        {
#pragma omp atomic
          scopes++;
        }
#pragma omp critical(one)
        critical += 1;
#pragma omp critical(two)
        counter += 2;
      }
#pragma omp for ordered
      for (int i = 0; i < T; i++) {
        int twice = 2 * i;
#pragma omp ordered
        order[at++] = twice;
      }
#pragma omp for ordered schedule(static, 3)
      for (int i = 0; i < T; i++) {
#pragma omp ordered threads
        ordered = ordered * 3 % 1009 + i;
      }
#pragma omp flush(critical)
    }
    critical += counter;
  }
  int expected = 0;
  for (int i = 0; i < T; i++) {
    check("ordered", order[i], 2 * i);
    check("masked", masked[i], i >= 1 && i <= 3);
    expected = expected * 3 % 1009 + i;
  }
  check("ordered chunks", ordered, expected);
  check("single", singles, 6);
  check("masked", masters, 3);
  check("scope", scopes, 3 * T);
  check("critical", critical, 3 * T + 6 * T);
}

int main(void) {
  sizes();
  conditions();
  data();
  functions();
  levels();
  cancelled();
  some();
  return report();
}
