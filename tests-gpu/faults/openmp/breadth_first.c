//! fault data-race
//! note Vertices of a level visit common neighbours with plain accesses; the twin has an atomic compare.
#include <stdio.h>
int main(void) {
  int n = 128, level[128], reached = 0;
  for (int v = 0; v < n; v++) level[v] = v < 32 ? 0 : -1;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(tofrom : level)
  for (int v = 0; v < 32; v++)
    for (int k = 0; k < 4; k++) {
      int *to = &level[(v * 5 + k * 3) % 96 + 32], depth = 1;
      //fixed: #pragma omp atomic compare
      if (*to == -1) { *to = depth; } //~
    }
  for (int v = 0; v < n; v++) reached += level[v] == 1;
  printf("%d reached\n", reached);
  return 0;
}
