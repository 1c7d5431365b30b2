// Tasks, executed immediately by the thread that encounters them. Prints how many checks failed.
#include <omp.h>
#include <stdio.h>

static int failures = 0;

static void check(const char *what, long got, long expected) {
  if (got != expected) {
    failures++;
    printf("%s: %ld, not %ld\n", what, got, expected);
  }
}

enum { THREADS = 64 };

static void tasks(void) {
  int ran = 0, order = 0, flags[10] = {0}, private_ = 5, first = 0;
#pragma omp target parallel num_threads(THREADS) map(tofrom : ran, order, flags, private_, first)
  {
    int mine = omp_get_thread_num();
#pragma omp task shared(ran) firstprivate(mine)
    {
#pragma omp atomic
      ran += mine;
    }
#pragma omp taskwait
#pragma omp single
    {
      int x = 1;
#pragma omp task depend(out : x) shared(x)
      x = 2;
#pragma omp task depend(inout : x) shared(x)
      x = 3 * x;
#pragma omp taskwait depend(in : x)
      order = x;
#pragma omp task if (0) shared(x)
      x += omp_in_explicit_task() ? 100 : 1000;
      flags[0] = x;
      flags[1] = omp_in_explicit_task();
#pragma omp task shared(flags)
      {
        flags[2] = omp_in_explicit_task() + 10 * omp_in_final();
#pragma omp task shared(flags)
        flags[3] = omp_in_explicit_task();
      }
#pragma omp task final(1) shared(flags)
      {
        flags[4] = omp_in_final();
#pragma omp task shared(flags)
        flags[5] = omp_in_final();
      }
      flags[6] = omp_in_final();
#pragma omp task if (0) final(1) shared(flags)
      {
        flags[8] = omp_in_final();
#pragma omp task if (0) shared(flags)
        flags[9] = omp_in_final();
      }
#pragma omp task untied mergeable priority(3) shared(flags)
      {
        flags[7] = omp_get_thread_num() == omp_get_ancestor_thread_num(1);
#pragma omp taskyield
      }
#pragma omp taskgroup
      {
#pragma omp task firstprivate(private_) shared(first)
        {
          private_++;
          first = private_;
        }
      }
    }
  }
  check("every thread's task", ran, THREADS * (THREADS - 1) / 2);
  check("order", order, 6);
  check("if(0)", flags[0], 106);
  check("not in a task", flags[1], 0);
  check("in a task that is not final", flags[2], 1);
  check("in a task in a task", flags[3], 1);
  check("final", flags[4], 1);
  check("in a final one", flags[5], 1);
  check("after final", flags[6], 0);
  check("if(0) and final", flags[8], 1);
  check("if(0) in a final one", flags[9], 1);
  check("its thread", flags[7], 1);
  check("firstprivate", first, 6);
  check("unchanged", private_, 5);
}

static void taskloops(void) {
  int hits[100] = {0}, last = -1, sum = 3, none = 0, strict = 0;
#pragma omp target map(tofrom : hits, last, sum, none, strict)
  {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
#pragma omp taskloop lastprivate(last) grainsize(7)
      for (int i = 0; i < 100; i++) {
        hits[i]++;
        last = i;
      }
#pragma omp taskloop reduction(+ : sum) num_tasks(4)
      for (int i = 0; i < 100; i += 3)
        sum += i;
#pragma omp taskloop
      for (int i = 5; i < 5; i++)
        none = 1;
#pragma omp taskloop num_tasks(strict : 3) shared(strict)
      for (long i = 10; i > 0; i--)
        strict += i;
    }
  }
  for (int i = 0; i < 100; i++)
    check("taskloop", hits[i], 1);
  check("lastprivate", last, 99);
  check("reduction", sum, 3 + 3 * (33 * 34 / 2));
  check("no iterations", none, 0);
  check("strict", strict, 55);
}

static void reductions(void) {
  int in_group = 1, in_region = 2, in_loop = 4;
#pragma omp target map(tofrom : in_group, in_region, in_loop)
  {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : in_group)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : in_group)
      in_group += i;
    }
#pragma omp parallel num_threads(THREADS) reduction(task, + : in_region)
    {
      in_region += 1;
#pragma omp task in_reduction(+ : in_region)
      in_region += 10;
    }
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for reduction(task, + : in_loop)
      for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : in_loop)
        in_loop += i;
      }
    }
  }
  check("task_reduction", in_group, 46);
  check("of a region", in_region, 2 + 11 * THREADS);
  check("of a loop", in_loop, 4 + 4950);
}

static void detached(void) {
  int done = 0;
#pragma omp target map(tofrom : done)
  {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(done)
      {
        done = 1;
        omp_fulfill_event(event);
      }
#pragma omp taskwait
      done += 10;
    }
  }
  check("detached", done, 11);
}

// Many tasks in many threads: without freeing their memory, the heap of 8 MiB would be full.
static void many(void) {
  long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) num_teams(20) thread_limit(128)
  for (int i = 0; i < 20 * 128; i++) {
    long mine = 0;
    for (int k = 0; k < 20; k++) {
      char large[200];
#pragma omp task shared(mine, large) firstprivate(k)
      {
        for (int j = 0; j < 200; j++)
          large[j] = (char)k;
        mine += large[199];
      }
    }
    sum += mine;
  }
  check("many", sum, 20L * 128 * 190);
}

int main(void) {
  tasks();
  taskloops();
  reductions();
  detached();
  many();
  printf("%d failures\n", failures);
  return failures != 0;
}
