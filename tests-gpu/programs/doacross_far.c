// Iterations that wait for one of another turn of the threads: the bits of all iterations are clear before any is done.
#include "check.h"

int main(void) {
  enum { N = 1500, BACK = 300 };
  static int a[N], b[N];
#pragma omp target map(tofrom : a, b)
  {
#pragma omp parallel num_threads(256)
    {
#pragma omp for ordered(1) schedule(static, 1)
      for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - BACK)
        a[i] = i >= BACK ? a[i - BACK] + BACK : i + 1;
#pragma omp ordered depend(source)
      }
      // Another loop of the same region, in the same memory.
#pragma omp for ordered(1) schedule(static, 1)
      for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
        b[i] = i > 0 ? b[i - 1] + a[i] : a[0];
#pragma omp ordered depend(source)
      }
    }
  }
  long sum = 0;
  for (int i = 0; i < N; i++) {
    check("a", a[i], i + 1);
    check("b", b[i], sum += i + 1);
  }
  return report();
}
