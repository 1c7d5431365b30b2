// An atomic update of a one-byte variable that is mapped alone. LLVM implements it by a loop that exchanges
// the enclosing 4-byte word; on a GPU the allocation is larger than the byte.
#include "check.h"

int main(void) {
  unsigned char narrow = 1;
#pragma omp target parallel for num_threads(64) map(tofrom : narrow)
  for (int i = 0; i < 64; i++) {
#pragma omp atomic
    narrow++;
  }
  check("narrow", narrow, 65);
  return report();
}
