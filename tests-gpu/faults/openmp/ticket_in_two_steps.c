//! fault data-race
//! note A ticket is drawn by an atomic update and a separate read; the twin captures it in one operation.
#include <stdio.h>
int main(void) {
  int next = 0, sum = 0, used[128] = {0};
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : next, used)
  for (int i = 0; i < 128; i++) {
    int mine;
#pragma omp atomic //faulty
    next++; //~ //faulty
    mine = next; //~ //faulty
    //fixed: #pragma omp atomic capture
    //fixed: mine = ++next;
#pragma omp atomic
    used[mine - 1]++;
  }
  for (int i = 0; i < 128; i++) sum += used[i] == 1;
  printf("%d tickets used once\n", sum);
  return 0;
}
