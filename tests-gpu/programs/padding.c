// A reduction of structs with a word that consists of padding only. clang copies records word by word through
// a volatile variable; LLVM stores an undefined register for a word that is never written.
#include "check.h"

typedef struct {
  long sum;
  int low, high;
  char tag;
} Range;

#pragma omp begin declare target
static void widen(Range *a, const Range *b) {
  a->sum += b->sum;
  if (b->low < a->low) a->low = b->low;
  if (b->high > a->high) a->high = b->high;
  a->tag |= b->tag;
}
static void nothing(Range *r) {
  r->sum = 0, r->low = 1 << 30, r->high = -(1 << 30), r->tag = 0;
}
#pragma omp end declare target
#pragma omp declare reduction(widen : Range : widen(&omp_out, &omp_in)) initializer(nothing(&omp_priv))

int main(void) {
  enum { N = 500 };
  Range range = {7, 3, 4, 64};
#pragma omp target teams distribute parallel for num_teams(5) thread_limit(64) reduction(widen : range)
  for (int i = 0; i < N; i++) {
    Range one = {i, i * 37 % 101 - 50, i * 41 % 103 - 50, (char)(1 << i % 6)};
    widen(&range, &one);
  }
  check("sum", range.sum, 7 + N * (N - 1) / 2);
  check("low", range.low, -50);
  check("high", range.high, 52);
  check("tag", range.tag, 127);
  return report();
}
