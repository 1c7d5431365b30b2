//! fails O2 O2-lto because LLVM 22 puts no barrier between a read by all threads and the store by one thread that follows
//! orders in-order reversed one-block
// Sequential code that reads a variable, decides by it, and changes it. LLVM turns the kernel into an SPMD kernel (OMP120):
// all threads read and decide, and only stores are left to one thread, with a barrier behind them but none before. A
// warp that is late reads the new value, and leaves out the parallel region.
#include "check.h"

int main(void) {
  int x = 5, count = 0;
#pragma omp target map(tofrom : x, count)
  {
    if (x == 5) {
      x = 7;
#pragma omp parallel for num_threads(128) reduction(+ : count)
      for (int i = 0; i < 200; i++) count++;
    }
  }
  check("changed", x, 7);
  check("iterations", count, 200);
  return report();
}
