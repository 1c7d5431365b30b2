//! whole
//! reports O2 data-race 14 because LLVM 22 lets all threads initialise a local variable that one thread uses
//! reports O2 O2-lto data-race 31 because LLVM 22 lets all threads assign a struct that one thread assigns
//! reports O2-lto data-race 27,28 because in teams without iterations all threads read omp_orig, and only one of them is waited for
//! fails O0 O0-lto because clang 22 moves 8 bytes at a time of variables that are aligned to 4
// An operator over a class that is aligned to 4 bytes and whose size is not a multiple of 8, in every
// construct.
#include "constructs.h"

#pragma omp begin declare target
struct Vector {
  float x, y, z;
  Vector() : x(0), y(0), z(0) {}
  Vector(float x, float y, float z) : x(x), y(y), z(z) {}
  explicit Vector(int i) : Vector(i, smaller(i), bits(i)) {}
  bool operator!=(const Vector &o) const { return x != o.x || y != o.y || z != o.z; }
  explicit operator double() const { return x + 1e5 * y + 1e10 * z; }
};
// An initial value that is not an identity, but given by the original.
static inline Vector merge(const Vector &a, const Vector &b) {
  return {a.x + b.x, a.y < b.y ? b.y : a.y, b.z < a.z ? b.z : a.z};
}
#pragma omp end declare target

static inline int same(int i) { return i; }

#pragma omp declare reduction(merge : Vector : omp_out = merge(omp_out, omp_in)) \
    initializer(omp_priv = Vector(0, omp_orig.y, omp_orig.z))

#define OPERATOR(...) CHECK(__VA_ARGS__) MOST(__VA_ARGS__) MORE(__VA_ARGS__)
OPERATOR(Vector, vector, merge, merge, same, Vector(64, 1, 9))

int main() {
  static void (*const cases[])(int) = {vector, vector_more};
  return RUN(cases);
}
