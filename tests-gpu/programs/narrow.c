//! fails O0 O0-lto O2 O2-lto because the emulator refuses to read beyond the last byte of an allocation
// An atomic update of a variable of one byte, mapped alone. LLVM makes a loop of it that exchanges the word of 4 bytes
// around it, where a GPU has allocated more than the byte.
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
