// The only dynamically scheduled loop of a program, in a generic-mode kernel that LLVM turns into an SPMD
// kernel (OMP120). LLVM then analyses what the runtime reads and writes through pointers to the loop's
// variables, and must not assume their values before the first chunk. This needs constant bounds and another
// kernel before.
#include "check.h"

#ifndef SCHEDULE
#define SCHEDULE ordered
#endif
#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

int main(void) {
  int r = 0, expected = 0;
#pragma omp target map(tofrom : r)
#pragma omp parallel
#pragma omp single
  r = 5;
  check("single", r, 5);
#pragma omp target map(tofrom : r)
  {
    r = 0;
    OMP(parallel for SCHEDULE num_threads(40))
    for (int i = 0; i < 100; i++) {
#ifdef ATOMIC
#pragma omp atomic
      r += i;
#else
      r = r * 3 % 1009 + i;
#endif
    }
  }
  for (int i = 0; i < 100; i++)
#ifdef ATOMIC
    expected += i;
#else
    expected = expected * 3 % 1009 + i;
#endif
  check(TEXT(SCHEDULE), r, expected);
  return report();
}
