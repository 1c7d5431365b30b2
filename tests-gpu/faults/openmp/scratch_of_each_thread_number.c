//! fault data-race
//! note Scratch memory is selected by the thread number, which threads of other teams have too; the twin adds the team number.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 128, out[128], scratch[128];
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(32) map(from : out) map(alloc : scratch)
  for (int i = 0; i < n; i++) {
    int mine = omp_get_thread_num(); //faulty
    //fixed: int mine = omp_get_team_num() * 32 + omp_get_thread_num();
    scratch[mine] = i; //~
    for (int k = 0; k < 3; k++) scratch[mine] += scratch[mine] / 2; //~
    out[i] = scratch[mine]; //~
  }
  printf("%d %d\n", out[2], out[127]);
  return 0;
}
