//! fault data-race
//! note A stencil overwrites the elements that neighbours read; the twin stores into a second array.
#include <stdio.h>
int main(void) {
  double a[18][18], b[18][18];
  for (int i = 0; i < 18; i++)
    for (int j = 0; j < 18; j++) a[i][j] = b[i][j] = i * i + j;
#pragma omp target teams distribute parallel for collapse(2) num_teams(4) thread_limit(64) map(tofrom : a, b)
  for (int i = 1; i < 17; i++)
    for (int j = 1; j < 17; j++)
      a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4; //~ //faulty
      //fixed: b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
  double sum = 0;
  for (int i = 0; i < 18; i++)
    for (int j = 0; j < 18; j++) sum += b[i][j] + a[i][j];
  printf("sum %g\n", sum);
  return 0;
}
