//! fails O0 O0-lto O2 O2-lto because clang 22 gives every thread of a team a separate copy of such a variable
// `lastprivate` of a loop over teams and their threads. clang makes each thread of the last team copy the
// team's variable to the original, but allocates one for each thread, of which only one was written.
#include "check.h"

int main(void) {
  int last = -1;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) lastprivate(last) map(tofrom : last)
  for (int i = 0; i < 500; i++) last = i + 7;
  check("lastprivate", last, 506);
  return report();
}
