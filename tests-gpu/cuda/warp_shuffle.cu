// Shuffles of a warp: all modes, narrow segments, wide types, and a partial mask.
#include "check.h"

__global__ void modes(int *out) {
  int lane = threadIdx.x, value = lane * lane;
  out[lane] = __shfl_sync(0xffffffff, value, (lane + 5) % 32);
  out[32 + lane] = __shfl_up_sync(0xffffffff, value, 3);
  out[64 + lane] = __shfl_down_sync(0xffffffff, value, 7);
  out[96 + lane] = __shfl_xor_sync(0xffffffff, value, 21);
  out[128 + lane] = __shfl_sync(0xffffffff, value, 2, 8);
  out[160 + lane] = __shfl_down_sync(0xffffffff, value, 1, 16);
}

template <typename T> __global__ void sum_of_warp(const T *in, T *out, int n) {
  T value = static_cast<int>(threadIdx.x) < n ? in[threadIdx.x] : T(0);
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (threadIdx.x == 0)
    *out = value;
}

// Only the odd lanes take part.
__global__ void partial(int *out) {
  int lane = threadIdx.x;
  out[lane] = -1;
  if (lane % 2 == 1)
    out[lane] = __shfl_xor_sync(0xaaaaaaaa, lane, 2);
}

template <typename T> void check_sum(int n) {
  std::vector<T> host(n);
  T expected = 0;
  for (int i = 0; i < n; i++)
    expected += host[i] = static_cast<T>(3 * i + 1);
  DeviceBuffer<T> in(host), out(1);
  sum_of_warp<<<1, 32>>>(in.data, out.data, n);
  finish_launch();
  REQUIRE(out.host()[0] == expected);
}

int main() {
  DeviceBuffer<int> out(192);
  modes<<<1, 32>>>(out);
  finish_launch();
  std::vector<int> host = out.host();
  auto square = [](int lane) { return lane * lane; };
  for (int lane = 0; lane < 32; lane++) {
    REQUIRE(host[lane] == square((lane + 5) % 32));
    REQUIRE(host[32 + lane] == square(lane >= 3 ? lane - 3 : lane));
    REQUIRE(host[64 + lane] == square(lane + 7 < 32 ? lane + 7 : lane));
    REQUIRE(host[96 + lane] == square(lane ^ 21));
    REQUIRE(host[128 + lane] == square(lane / 8 * 8 + 2));
    REQUIRE(host[160 + lane] == square(lane % 16 == 15 ? lane : lane + 1));
  }
  check_sum<int>(29);
  check_sum<float>(31);
  check_sum<double>(32);
  check_sum<long long>(17);
  partial<<<1, 32>>>(out);
  finish_launch();
  host = out.host();
  for (int lane = 0; lane < 32; lane++)
    REQUIRE(host[lane] == (lane % 2 == 1 ? lane ^ 2 : -1));
  std::puts("warp_shuffle: 4 modes");
}
