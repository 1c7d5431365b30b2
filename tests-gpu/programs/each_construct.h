// One loop body in every construct that distributes a loop; BODY(i) is a number, and may use what its caller declares.
#include "check.h"
#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))

enum { N = 203 };

#define LOOP(BODY) for (int i = 0; i < N; i++) out[i] = BODY(i)

// Each of these leaves BODY(i) in out[i]; `data` are further clauses of the target construct.
#define ALL(NAME, BODY, DATA)                                                                                  \
  compare(NAME, "host", out);                                                                                  \
  OMP(target teams distribute parallel for map(tofrom : out) DATA)                                             \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "teams distribute parallel for", out);                                                         \
  OMP(target teams distribute parallel for simd map(tofrom : out) DATA)                                        \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "teams distribute parallel for simd", out);                                                    \
  OMP(target parallel for schedule(dynamic, 3) map(tofrom : out) DATA)                                         \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "parallel for", out);                                                                          \
  OMP(target teams distribute map(tofrom : out) DATA)                                                          \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "teams distribute", out);                                                                      \
  OMP(target teams loop map(tofrom : out) DATA)                                                                \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "teams loop", out);                                                                            \
  OMP(target simd map(tofrom : out) DATA)                                                                      \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "simd", out);                                                                                  \
  OMP(target map(tofrom : out) DATA)                                                                           \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "target", out);                                                                                \
  OMP(target map(tofrom : out) DATA)                                                                           \
  {                                                                                                            \
    OMP(parallel for)                                                                                          \
    LOOP(BODY);                                                                                                \
  }                                                                                                            \
  compare(NAME, "parallel for in target", out);                                                                \
  OMP(target teams num_teams(3) map(tofrom : out) DATA)                                                        \
  {                                                                                                            \
    OMP(distribute parallel for)                                                                               \
    LOOP(BODY);                                                                                                \
  }                                                                                                            \
  compare(NAME, "distribute parallel for in teams", out);                                                      \
  OMP(target teams distribute map(tofrom : out) DATA)                                                          \
  for (int b = 0; b < N; b += 31) {                                                                            \
    OMP(parallel for)                                                                                          \
    for (int i = b; i < b + 31; i++)                                                                           \
      if (i < N) out[i] = BODY(i);                                                                             \
  }                                                                                                            \
  compare(NAME, "parallel for in teams distribute", out);                                                      \
  OMP(target parallel map(tofrom : out) DATA)                                                                  \
  OMP(single)                                                                                                  \
  OMP(taskloop shared(out))                                                                                    \
  LOOP(BODY);                                                                                                  \
  compare(NAME, "taskloop", out)

// Compares with the results of the host, which come first, and clears them.
static void compare(const char *what, const char *construct, double *out) {
  static double expected[N];
  if (construct[0] == 'h') {
    for (int i = 0; i < N; i++) expected[i] = out[i];
  } else {
    for (int i = 0; i < N; i++) {
      if (out[i] != expected[i]) printf("%s, %s, %d: ", what, construct, i);
      check(construct, out[i], expected[i]);
    }
  }
  for (int i = 0; i < N; i++) out[i] = -1;
}
