//! fault misaligned
//! note Numbers that follow a tag byte are read through a cast pointer; the twin copies their bytes.
#include <stdio.h>
#include <string.h>
int main(void) {
  int n = 32, out[32];
  char packed[160];
  for (int i = 0; i < n; i++) {
    packed[5 * i] = 'x';
    for (int k = 0; k < 4; k++) packed[5 * i + 1 + k] = (char)(i + k);
  }
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(to : packed) map(from : out)
  for (int i = 0; i < n; i++)
    out[i] = *(int *)(packed + 5 * i + 1); //~ //faulty
    //fixed: memcpy(&out[i], packed + 5 * i + 1, 4);
  printf("%x %x\n", out[0], out[31]);
  return 0;
}
