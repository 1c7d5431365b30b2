//! fault data-race
//! note A structure that LLVM lets all threads of a team clear, once for each of four teams. In the faulty program threads count without an atomic.
#include <omp.h>
#include <stdio.h>
struct counts { int n, of[30]; double sum; };
int main(void) {
  int out[4] = {0};
#pragma omp target teams num_teams(4) thread_limit(64) map(tofrom : out)
  {
    struct counts c = {0};
#pragma omp parallel
    {
      int t = omp_get_thread_num();
      //fixed: #pragma omp atomic
      c.of[t % 30] += 2; //~
      if (t == 0) c.n = 5;
    }
    for (int i = 0; i < 30; i++) out[omp_get_team_num()] += c.of[i];
    out[omp_get_team_num()] += c.n;
  }
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  return 0;
}
