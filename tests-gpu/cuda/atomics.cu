// Atomic operations: each kind, and loops of compare-and-swap for what there is no instruction for.
#include "check.h"

struct Cells {
  int sum, least, greatest, bits_and, bits_or, bits_xor, exchanged;
  unsigned wrapped, down, lock, guarded;
  unsigned long long wide_sum, wide_greatest;
  float float_sum;
  double double_sum, double_greatest;
  unsigned short small;
};

__device__ double greatest_of(double *address, double value) {
  unsigned long long *bits = reinterpret_cast<unsigned long long *>(address), seen = *bits, expected;
  do {
    expected = seen;
    if (__longlong_as_double(expected) >= value)
      break;
    seen = atomicCAS(bits, expected, __double_as_longlong(value));
  } while (seen != expected);
  return __longlong_as_double(seen);
}

__global__ void change(Cells *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&cells->sum, i);
  atomicMin(&cells->least, 50 - i);
  atomicMax(&cells->greatest, i * 2);
  atomicAnd(&cells->bits_and, ~(1 << i % 20));
  atomicOr(&cells->bits_or, 1 << i % 20);
  atomicXor(&cells->bits_xor, i);
  atomicInc(&cells->wrapped, 9);
  atomicDec(&cells->down, 6);
  atomicAdd(&cells->wide_sum, static_cast<unsigned long long>(i) << 33);
  atomicMax(&cells->wide_greatest, static_cast<unsigned long long>(i) << 34);
  atomicAdd(&cells->float_sum, 0.5f);
  atomicAdd(&cells->double_sum, 0.25);
  greatest_of(&cells->double_greatest, i * 1.5);
  atomicCAS(&cells->small, static_cast<unsigned short>(i), static_cast<unsigned short>(i + 1));
  atomicExch(&cells->exchanged, i);
}

// A lock that one thread of each block takes.
__global__ void locked(Cells *cells) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&cells->lock, 0u, 1u) != 0)
      ;
    __threadfence();
    volatile unsigned *guarded = &cells->guarded;
    *guarded = *guarded + 1;
    __threadfence();
    atomicExch(&cells->lock, 0u);
  }
}

int main() {
  const int n = 333;
  std::vector<Cells> start(1);
  start[0] = {};
  start[0].bits_and = -1;
  start[0].exchanged = -1;
  start[0].double_greatest = -1;
  DeviceBuffer<Cells> cells(start);
  change<<<blocks_for(n, 64), 64>>>(cells, n);
  finish_launch();
  locked<<<9, 64>>>(cells);
  finish_launch();
  Cells c = cells.host()[0];
  int exclusive = 0;
  unsigned wrapped = 0, down = 0;
  for (int i = 0; i < n; i++) {
    exclusive ^= i;
    wrapped = wrapped >= 9 ? 0 : wrapped + 1;
    down = down == 0 || down > 6 ? 6 : down - 1;
  }
  REQUIRE(c.sum == n * (n - 1) / 2 && c.least == 51 - n && c.greatest == 2 * (n - 1));
  REQUIRE(c.bits_and == ~0xfffff && c.bits_or == 0xfffff && c.bits_xor == exclusive);
  REQUIRE(c.wrapped == wrapped && c.down == down);
  REQUIRE(c.wide_sum == static_cast<unsigned long long>(n * (n - 1) / 2) << 33);
  REQUIRE(c.wide_greatest == static_cast<unsigned long long>(n - 1) << 34);
  REQUIRE(c.float_sum == 0.5f * n && c.double_sum == 0.25 * n && c.double_greatest == (n - 1) * 1.5);
  REQUIRE(c.small >= 1 && c.small <= n && c.exchanged >= 0 && c.exchanged < n);
  REQUIRE(c.lock == 0 && c.guarded == 9);
  std::puts("atomics: 16 kinds");
}
