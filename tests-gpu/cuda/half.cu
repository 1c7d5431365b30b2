// Half precision and bfloat16: arithmetic, pairs, comparisons, conversions and functions.
#include "check.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half x = __float2half(in[i]), two = __float2half(2.0f);
  out[6 * i] = __half2float(x * two + x);
  out[6 * i + 1] = __half2float(__hfma(x, x, two));
  out[6 * i + 2] = __hgt(x, two) ? 1.0f : 0.0f;
  __half2 pair = __floats2half2_rn(in[i], -in[i]);
  pair = __hadd2(__hmul2(pair, __float2half2_rn(0.5f)), __float2half2_rn(1.0f));
  out[6 * i + 3] = __low2float(pair);
  out[6 * i + 4] = __high2float(pair);
  out[6 * i + 5] = static_cast<float>(__half2int_rn(x)) + __half2float(__hmax(x, two)) +
                   __half2float(__habs(x)) + __half2float(hsqrt(__habs(x)));
}

__global__ void bfloats(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 x = __float2bfloat16(in[i]), three = __float2bfloat16(3.0f);
  out[3 * i] = __bfloat162float(x * three);
  out[3 * i + 1] = __bfloat162float(__hmin(x, three));
  __nv_bfloat162 pair = __floats2bfloat162_rn(in[i], 1.0f);
  out[3 * i + 2] = __low2float(__hfma2(pair, pair, pair));
}

__global__ void sums(const __half *in, __half *sum, __half2 *pairs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(sum, in[i]);
    atomicAdd(pairs, __halves2half2(in[i], __float2half(1.0f)));
  }
}

int main() {
  const int n = 201;
  std::vector<float> in(n);
  // Multiples of 1/8 below 16: exact in both formats, as are most of the results.
  for (int i = 0; i < n; i++)
    in[i] = (i - 100) / 8.0f;
  DeviceBuffer<float> device(in), out(6 * n), out_bfloat(3 * n);
  halves<<<blocks_for(n, 64), 64>>>(device, out, n);
  bfloats<<<blocks_for(n, 64), 64>>>(device, out_bfloat, n);
  finish_launch();
  std::vector<float> half = out.host(), bfloat = out_bfloat.host();
  auto rounded = [](float x) { return __half2float(__float2half(x)); };
  auto rounded_bfloat = [](float x) { return __bfloat162float(__float2bfloat16(x)); };
  for (int i = 0; i < n; i++) {
    float x = in[i];
    REQUIRE(half[6 * i] == rounded(3 * x));
    REQUIRE(half[6 * i + 1] == rounded(x * x + 2));
    REQUIRE(half[6 * i + 2] == (x > 2));
    REQUIRE(half[6 * i + 3] == rounded(x / 2 + 1) && half[6 * i + 4] == rounded(1 - x / 2));
    float last = std::nearbyint(x) + std::fmax(x, 2.0f) + std::fabs(x) + std::sqrt(std::fabs(x));
    REQUIRE(std::fabs(half[6 * i + 5] - last) < 0.01f);
    REQUIRE(bfloat[3 * i] == rounded_bfloat(3 * x));
    REQUIRE(bfloat[3 * i + 1] == std::fmin(x, 3.0f));
    REQUIRE(bfloat[3 * i + 2] == rounded_bfloat(x * x + x));
  }
  std::vector<__half> ones(100, __float2half(0.5f));
  DeviceBuffer<__half> device_ones(ones), sum(1);
  DeviceBuffer<__half2> pairs(1);
  CUDA(cudaMemset(sum, 0, sizeof(__half)));
  CUDA(cudaMemset(pairs, 0, sizeof(__half2)));
  sums<<<1, 128>>>(device_ones, sum, pairs, 100);
  finish_launch();
  REQUIRE(__half2float(sum.host()[0]) == 50);
  REQUIRE(__low2float(pairs.host()[0]) == 50 && __high2float(pairs.host()[0]) == 100);
  std::puts("half: two formats");
}
