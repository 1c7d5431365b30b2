//! fault data-race
//! note Elements that are kept are numbered by a shared counter; the twin captures its value atomically.
#include <stdio.h>
int main(void) {
  int kept[128], a[128], count = 0, sum = 0;
  for (int i = 0; i < 128; i++) a[i] = i * 7 % 64;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : count, kept)
  for (int i = 0; i < 128; i++)
    if (a[i] > 20) {
      int slot;
      //fixed: #pragma omp atomic capture
      slot = count++; //~
      kept[slot] = a[i]; //~
    }
  for (int i = 0; i < count; i++) sum += kept[i];
  printf("%d kept, sum %d\n", count, sum);
  return 0;
}
