//! whole
//! reports O2-lto data-race 30 because LLVM 22 lets all threads assign a struct that one thread assigns
// An operator that a program declares over a class of its own, in every construct.
#include "constructs.h"

#pragma omp begin declare target
// 24 bytes, no word of which is padding: see padding.c.
struct Range {
  long sum;
  int low, high;
  long seen;
  Range() : sum(0), low(1 << 30), high(-(1 << 30)), seen(0) {}
  Range(long sum, int low, int high, long seen) : sum(sum), low(low), high(high), seen(seen) {}
  explicit Range(int i) : Range(i, smaller(i), smaller(i), 1l << bits(i)) {}
  bool operator!=(const Range &o) const {
    return sum != o.sum || low != o.low || high != o.high || seen != o.seen;
  }
  explicit operator double() const { return sum; }
};
static inline Range join(const Range &a, const Range &b) {
  return {a.sum + b.sum, b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high, a.seen | b.seen};
}
#pragma omp end declare target

static inline int same(int i) { return i; }

#pragma omp declare reduction(join : Range : omp_out = join(omp_out, omp_in)) initializer(omp_priv = Range())

#define OPERATOR(...) CHECK(__VA_ARGS__) MOST(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(Range, range, join, join, same, Range(7, 3, 4, 1))

int main() {
  static void (*const cases[])(int) = {range, range_more};
  return RUN(cases);
}
