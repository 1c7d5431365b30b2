// Parallel regions that the first thread of each team starts (generic mode), to be compiled at -O0.
#include "timer.h"

int main(void) {
  int n = 60000, teams = 0;
  double s = 0;
  while (bench_again()) {
    s = teams = 0;
#pragma omp target teams num_teams(8) thread_limit(128) reduction(+ : s, teams)
    {
      double t = 0;
#pragma omp parallel for reduction(+ : t)
      for (int i = 0; i < n; i++)
        t += i * 0.5;
      s += t;
      teams++;
    }
  }
  return s != teams * (0.25 * n * (n - 1.0));
}
