// An inclusive scan in three kernels: in blocks, over the blocks' sums, and the addition of what is before a block.
#include "check.h"

constexpr int Threads = 128;

__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
  __shared__ int buffer[2][Threads];
  int i = blockIdx.x * Threads + threadIdx.x, now = 0;
  buffer[now][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < Threads; distance *= 2) {
    int value = buffer[now][threadIdx.x];
    if (static_cast<int>(threadIdx.x) >= distance)
      value += buffer[now][threadIdx.x - distance];
    buffer[1 - now][threadIdx.x] = value;
    now = 1 - now;
    __syncthreads();
  }
  if (i < n)
    out[i] = buffer[now][threadIdx.x];
  if (threadIdx.x == Threads - 1)
    sums[blockIdx.x] = buffer[now][threadIdx.x];
}

__global__ void add_before(int *out, const int *scanned_sums, int n) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += scanned_sums[blockIdx.x - 1];
}

int main() {
  const int n = 10001, blocks = blocks_for(n, Threads);
  std::vector<int> host(n), expected(n);
  Numbers numbers(3);
  int sum = 0;
  for (int i = 0; i < n; i++) {
    host[i] = numbers.below(100) - 50;
    expected[i] = sum += host[i];
  }
  DeviceBuffer<int> in(host), out(n), sums(blocks), scanned(blocks), rest(1);
  REQUIRE(blocks <= Threads);
  scan_blocks<<<blocks, Threads>>>(in, out, sums, n);
  scan_blocks<<<1, Threads>>>(sums, scanned, rest, blocks);
  add_before<<<blocks, Threads>>>(out, scanned, n);
  finish_launch();
  REQUIRE(out.host() == expected);
  std::printf("scan: %d\n", sum);
}
