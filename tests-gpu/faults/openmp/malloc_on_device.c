//! fault uninitialised
//! note Counters from malloc are cleared by the number of counters, not of bytes; the twin multiplies by the size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int n = 8, a[320], out[32];
  for (int i = 0; i < 320; i++) a[i] = i * 7 + i / 9;
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(from : out)
  for (int i = 0; i < 32; i++) {
    int *bins = malloc(n * sizeof(int)), most = 0;
    memset(bins, 0, n); //faulty
    //fixed: memset(bins, 0, n * sizeof(int));
    for (int k = 0; k < 10; k++) bins[a[10 * i + k] % n]++; //~
    for (int k = 0; k < n; k++)
      if (bins[k] > most) most = bins[k]; //~
    out[i] = most; //~
    free(bins);
  }
  printf("%d %d\n", out[0], out[31]);
  return 0;
}
