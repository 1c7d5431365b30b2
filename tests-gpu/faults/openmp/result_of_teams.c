//! fault data-race
//! note Every team stores into one result; in the twin each has an element.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[256], result[4] = {0};
  for (int i = 0; i < 256; i++) a[i] = i;
#pragma omp target teams num_teams(4) thread_limit(64) map(tofrom : result)
  {
    int sum = 0, first = omp_get_team_num() * 64;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += a[first + i];
    result[0] += sum; //~ //faulty
    //fixed: result[omp_get_team_num()] += sum;
  }
  printf("%d\n", result[0] + result[1] + result[2] + result[3]);
  return 0;
}
