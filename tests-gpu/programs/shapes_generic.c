// Reductions over teams and over threads in generic mode, where one thread of a team runs its code and others its
// parallel regions, over teams and blocks of all sizes.
#include "check.h"
#include <omp.h>

static void shape(int teams, int limit, int n) {
  char text[80];
  snprintf(text, sizeof text, "%d teams of %d, %d iterations", teams, limit, n);
  long over_teams = 5, inner = 0, most = -1;
  int runs = 0, real = 0;
#pragma omp target teams num_teams(teams) thread_limit(limit) map(tofrom : runs, real, inner)                  \
    reduction(+ : over_teams) reduction(max : most)
  {
    long mine = 1;
    int threads = 0;
#pragma omp parallel for reduction(+ : mine) reduction(max : threads)
    for (int i = 0; i < n; i++) {
      mine += i;
      threads = omp_get_num_threads();
    }
    // One thread of the team is here.
    over_teams += mine;
    most = threads;
#pragma omp atomic
    runs++;
#pragma omp atomic
    inner += mine;
    if (omp_get_team_num() == 0) real = omp_get_num_teams();
  }
  long one = 1 + (long)n * (n - 1) / 2;
  check(text, over_teams, 5 + real * one);
  check("runs", runs, real);
  check("inner", inner, real * one);
  check("teams", real, teams);
  if (n > 0) check(text, most <= limit && most >= 1 ? 1 : most, 1);
}

int main(void) {
  static const int teams[] = {1, 2, 31, 33, 1023, 1025, 3200};
  static const int limits[] = {1, 32, 33, 96, 128, 1000, 1024};
  for (unsigned t = 0; t < sizeof teams / sizeof *teams; t++) shape(teams[t], 64, 50);
  for (unsigned l = 0; l < sizeof limits / sizeof *limits; l++) {
    shape(1, limits[l], 0);
    shape(1, limits[l], 1);
    shape(3, limits[l], 2 * limits[l] + 1);
  }
  shape(1025, 1, 10);
  shape(40, 1024, 1500);
  return report();
}
