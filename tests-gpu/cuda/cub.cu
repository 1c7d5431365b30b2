// nightly
// CUB: reductions, scans, radix sorts and histograms of the device, and collective operations of a block.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>

constexpr int Threads = 128;

__global__ void block_operations(const int *in, int *sum, int *scanned) {
  using Reduce = cub::BlockReduce<int, Threads>;
  using Scan = cub::BlockScan<int, Threads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  int value = in[threadIdx.x];
  int total = Reduce(storage.reduce).Sum(value);
  if (threadIdx.x == 0)
    *sum = total;
  __syncthreads();
  int before;
  Scan(storage.scan).ExclusiveSum(value, before);
  scanned[threadIdx.x] = before;
}

template <typename F> void with_storage(F call) {
  std::size_t bytes = 0;
  CUDA(call(nullptr, bytes));
  void *storage;
  CUDA(cudaMalloc(&storage, bytes));
  CUDA(call(storage, bytes));
  CUDA(cudaFree(storage));
}

int main() {
  const int n = 5003;
  std::vector<int> host(n);
  Numbers numbers(9);
  for (int &value : host)
    value = numbers.below(4096);
  DeviceBuffer<int> in(host), out(n), one(1), bins(16);

  long long total = 0;
  for (int value : host)
    total += value;
  with_storage([&](void *storage, std::size_t &bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, in.data, one.data, n);
  });
  REQUIRE(one.host()[0] == total);
  with_storage([&](void *storage, std::size_t &bytes) {
    return cub::DeviceReduce::Min(storage, bytes, in.data, one.data, n);
  });
  REQUIRE(one.host()[0] == *std::min_element(host.begin(), host.end()));

  with_storage([&](void *storage, std::size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data, out.data, n);
  });
  std::vector<int> found = out.host();
  int before = 0;
  for (int i = 0; i < n; i++) {
    REQUIRE(found[i] == before);
    before += host[i];
  }

  with_storage([&](void *storage, std::size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data, out.data, n);
  });
  std::vector<int> sorted = host;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(out.host() == sorted);

  with_storage([&](void *storage, std::size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, in.data, bins.data, 17, 0, 4096, n);
  });
  std::vector<int> expected(16, 0);
  for (int value : host)
    expected[value / 256]++;
  REQUIRE(bins.host() == expected);

  DeviceBuffer<int> scanned(Threads);
  block_operations<<<1, Threads>>>(in, one, scanned);
  finish_launch();
  found = scanned.host();
  before = 0;
  for (int i = 0; i < Threads; i++) {
    REQUIRE(found[i] == before);
    before += host[i];
  }
  REQUIRE(one.host()[0] == before);
  std::printf("cub: %lld\n", total);
}
