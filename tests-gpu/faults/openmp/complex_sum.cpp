//! fault data-race
//! note All threads use += on one complex number; the twin declares a reduction.
#include <cstdio>
struct Complex {
  double re = 0, im = 0;
  Complex &operator+=(const Complex &other) {
    re += other.re; //~
    im += other.im; //~
    return *this;
  }
};
#pragma omp declare reduction(+ : Complex : omp_out += omp_in)
int main() {
  Complex sum, x[100];
  for (int i = 0; i < 100; i++) x[i].re = i, x[i].im = -1;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(to : x) map(tofrom : sum) //~ //faulty
  //fixed: #pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(to : x) reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += x[i];
  std::printf("%g %g\n", sum.re, sum.im);
}
