// Processor time of a region, all threads of the process together, so that other programs do not matter.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

// Executions that are timed, after one that is not.
enum { BENCH_EXECUTIONS = 6 };

// The condition of a loop around what is measured. At its end prints the least time of an execution in seconds, the seconds
// that processes took which compiled kernels, and the most memory that this one had, in KiB.
static int bench_again(void) {
  static int execution;
  static double start, least = 1e30;
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  double now = time.tv_sec + 1e-9 * time.tv_nsec;
  if (execution > 1 && now - start < least)
    least = now - start;
  if (execution++ > BENCH_EXECUTIONS) {
    struct rusage compilers, self;
    getrusage(RUSAGE_CHILDREN, &compilers);
    getrusage(RUSAGE_SELF, &self);
    double compiling = compilers.ru_utime.tv_sec + compilers.ru_stime.tv_sec +
                       1e-6 * (compilers.ru_utime.tv_usec + compilers.ru_stime.tv_usec);
    return printf("bench %.9f %.6f %ld\n", least, compiling, self.ru_maxrss), 0;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  start = time.tv_sec + 1e-9 * time.tv_nsec;
  return 1;
}
