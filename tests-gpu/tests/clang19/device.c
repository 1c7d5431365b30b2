// Device code for clang 19; ../clang19.rs launches the kernels. `a` has N elements.
#include <omp.h>
#include <stdio.h>

enum { N = 5000 };

void spmd(const long *a, long sum) {
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
}

void several(const long *a, double sum, long most, int even) {
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) reduction(& : even)
  for (int i = 0; i < N; i++) {
    sum += a[i] * 0.5;
    most = a[i] > most ? a[i] : most;
    even &= ~(int)(a[i] & 1) | 6;
  }
}

// Generic mode: sequential code between regions, whose threads share its variables.
void generic(long *a) {
#pragma omp target
  {
    long local[4] = {0, 1, 2, 3};
#pragma omp critical
    local[0] = a[0];
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = a[i] * 2 + local[i & 3];
    local[1] = a[1];
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] += local[1];
    a[0] = omp_get_num_threads() * 1000 + omp_get_level();
  }
}

void nested(long *a) {
#pragma omp target parallel
  {
    int outer = omp_get_thread_num();
    long sum = outer;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += i + 100 * omp_get_level();
    a[outer] = sum;
  }
}

void dynamic(long *a) {
#pragma omp target teams distribute parallel for schedule(dynamic, 3)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    a[i] += i;
  }
}

void prints(long *a) {
#pragma omp target
  a[0] = printf("%d %s %.2f\n", (int)a[0], "from the device", a[1] / 4.0);
}
