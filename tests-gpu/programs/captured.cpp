//! whole
// Captured scalars of every type that are used through references, which clang 22 stores in one type and reads in
// another: docs/pitfalls.md.
#include <algorithm>
#include "each_construct.h"

template <class T> static T larger(const T &a, const T &b) { return a < b ? b : a; }
template <class T> struct Clamp {
  const T &low, &high;
  T operator()(T x) const { return std::max(low, std::min(high, x)); }
};

static double out[N];

template <class T> static void scalars(const char *name) {
  T low = 10, high = 90;
#define CLAMPED(i) (double)std::max(low, std::min(high, (T)(i % 101)))
#define CALLED(i) (double)larger(low, (T)(i & 31))
#define OBJECT(i) (double)Clamp<T>{low, high}((T)(i % 101))
#define LAMBDA(i) (double)[&](T x) { return std::min(x, high); }((T)(i % 101))
  LOOP(CLAMPED);
  ALL(name, CLAMPED, );
  LOOP(CALLED);
  ALL(name, CALLED, );
  LOOP(OBJECT);
  ALL(name, OBJECT, );
  LOOP(LAMBDA);
  ALL(name, LAMBDA, );
}

int main() {
  scalars<signed char>("signed char");
  scalars<unsigned short>("unsigned short");
  scalars<int>("int");
  scalars<unsigned long>("unsigned long");
  scalars<float>("float");
  return report();
}
