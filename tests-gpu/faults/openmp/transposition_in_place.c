//! fault data-race
//! note Each pair of elements is exchanged by two threads, (i,j) and (j,i); in the twin only where j is below i.
#include <stdio.h>
int main(void) {
  int n = 16, m[16][16];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = 100 * i + j;
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(tofrom : m)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { //faulty
    //fixed: for (int j = 0; j < i; j++) {
      int t = m[i][j]; //~
      m[i][j] = m[j][i]; //~
      m[j][i] = t; //~
    }
  printf("%d %d %d\n", m[0][15], m[15][0], m[3][7]);
  return 0;
}
