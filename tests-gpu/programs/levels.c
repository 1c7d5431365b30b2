// Levels of nested regions, in tasks and outside: what a thread can ask for, before, inside and after them.
//! note regions of one thread also begin and end by calls of their own, which no compiler makes here
#include <omp.h>
#include "check.h"

enum { DEEP = 20, THREADS = 64 };

// Before, inside and after: (level, in a task, in a final task), as one number.
struct seen {
  int before, inside, innermost, after;
};

#pragma omp begin declare target
static int state(void) { return 100 * omp_get_level() + 10 * omp_in_explicit_task() + omp_in_final(); }

static void nest(int levels, int *innermost) {
  if (levels == 0)
    *innermost = state();
  else
#pragma omp parallel num_threads(1)
    nest(levels - 1, innermost);
}
#pragma omp end declare target

#ifdef __NVPTX__
void __kmpc_serialized_parallel(void *location, int thread);
void __kmpc_end_serialized_parallel(void *location, int thread);

static void serialized(int levels, struct seen *seen) {
  seen->before = state();
  for (int i = 0; i < levels; i++) {
    __kmpc_serialized_parallel(0, 0);
    if (i == 0) seen->inside = state();
  }
  seen->innermost = state();
  for (int i = 0; i < levels; i++) __kmpc_end_serialized_parallel(0, 0);
  seen->after = state();
}

// A task inside a serialized region of a task: both get back what they were.
static void tasks_of_tasks(int *seen) {
  seen[0] = state();
  __kmpc_serialized_parallel(0, 0);
#pragma omp task firstprivate(seen)
  {
    seen[1] = state();
    __kmpc_serialized_parallel(0, 0);
    __kmpc_serialized_parallel(0, 0);
    seen[2] = state();
#pragma omp task final(1) firstprivate(seen)
    {
      seen[3] = state();
      __kmpc_serialized_parallel(0, 0);
      seen[4] = state();
      __kmpc_end_serialized_parallel(0, 0);
      seen[5] = state();
    }
    seen[6] = state();
    __kmpc_end_serialized_parallel(0, 0);
    __kmpc_end_serialized_parallel(0, 0);
    seen[7] = state();
  }
  seen[8] = state();
  __kmpc_end_serialized_parallel(0, 0);
  seen[9] = state();
}
#else
static void serialized(int levels, struct seen *seen) {}
static void tasks_of_tasks(int *seen) {}
#endif

static void is(const char *what, struct seen seen, int outside, int depth) {
  check(what, seen.before, outside);
  check(what, seen.inside, outside / 100 * 100 + 100);
  check(what, seen.innermost, outside / 100 * 100 + 100 * depth);
  check(what, seen.after, outside);
}

int main(void) {
  struct seen in_region[THREADS], in_task[THREADS], in_final[THREADS], alone, alone_in_task;
  int nested[THREADS], nested_in_task[THREADS], after[THREADS], of_tasks[10], in_main = -1, after_main = -1;
#pragma omp target map(from : in_region, in_task, in_final, alone, alone_in_task, nested, nested_in_task, after) \
    map(from : of_tasks, in_main, after_main)
  {
    serialized(DEEP, &alone);
#pragma omp task shared(alone_in_task)
    serialized(DEEP, &alone_in_task);
    nest(DEEP, &in_main);
    after_main = state();
#pragma omp parallel num_threads(THREADS)
    {
      int me = omp_get_thread_num();
      serialized(DEEP, &in_region[me]);
#pragma omp task shared(in_task)
      serialized(DEEP, &in_task[me]);
#pragma omp task final(1) shared(in_final)
      serialized(DEEP, &in_final[me]);
      nest(DEEP, &nested[me]);
#pragma omp task final(1) shared(nested_in_task, after)
      {
        nest(DEEP, &nested_in_task[me]);
        after[me] = state();
      }
#pragma omp barrier
#pragma omp single
#pragma omp task final(1) shared(of_tasks)
      tasks_of_tasks(of_tasks);
    }
  }
  is("serialized outside", alone, 0, DEEP);
  is("serialized in a task outside", alone_in_task, 10, DEEP);
  check("nested outside", in_main, 100 * DEEP);
  check("after that", after_main, 0);
  for (int me = 0; me < THREADS; me++) {
    is("serialized", in_region[me], 100, DEEP);
    is("serialized in a task", in_task[me], 110, DEEP);
    is("serialized in a final task", in_final[me], 111, DEEP);
    check("nested", nested[me], 100 + 100 * DEEP);
    check("nested in a task", nested_in_task[me], 100 + 100 * DEEP);
    check("after a region in a final task", after[me], 111);
  }
  const int expected[10] = {111, 210, 400, 411, 500, 411, 400, 210, 200, 111};
  for (int i = 0; i < 10; i++) check("tasks of tasks", of_tasks[i], expected[i]);
  return report();
}
