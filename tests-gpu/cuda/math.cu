// Functions of mathematics in single and double precision, against the host within a bound.
#include "check.h"
#include <cmath>

constexpr int Functions = 24;

template <typename T> __host__ __device__ void evaluate(T x, T *out) {
  using namespace std;
  T positive = fabs(x) + T(0.25), small = x / T(40);
  int exponent;
  out[0] = sin(x);
  out[1] = cos(x);
  out[2] = tan(x / 8);
  out[3] = exp(x / 4);
  out[4] = log(positive);
  out[5] = pow(positive, T(1.7));
  out[6] = sqrt(positive);
  out[7] = cbrt(x);
  out[8] = erf(x / 4);
  out[9] = erfc(small);
  out[10] = tgamma(positive / 4);
  out[11] = lgamma(positive);
  out[12] = atan2(x, positive);
  out[13] = asin(small);
  out[14] = sinh(x / 8);
  out[15] = tanh(x);
  out[16] = log1p(positive);
  out[17] = expm1(small);
  out[18] = hypot(x, T(3));
  out[19] = fmod(x, T(1.5));
  out[20] = exp2(x / 4);
  out[21] = log2(positive) + log10(positive);
  out[22] = frexp(x, &exponent) + exponent + ldexp(x, 3) + floor(x) + rint(x) + trunc(x);
  out[23] = fma(x, x, T(1)) + copysign(positive, x) + fdim(x, T(1));
}

template <typename T> __global__ void run(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    evaluate(in[i], out + Functions * i);
}

__global__ void fast(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __sinf(in[i] / 8) + __expf(in[i] / 8) + __logf(fabsf(in[i]) + 1) + __fdividef(in[i], 3.0f) +
             rsqrtf(fabsf(in[i]) + 1) + __frcp_rn(fabsf(in[i]) + 2) + __saturatef(in[i]);
}

template <typename T> void check(T bound) {
  const int n = 133;
  std::vector<T> in(n);
  for (int i = 0; i < n; i++)
    in[i] = T(i - 66) * T(0.171);
  DeviceBuffer<T> device(in), out(n * Functions);
  run<<<blocks_for(n, 64), 64>>>(device.data, out.data, n);
  finish_launch();
  std::vector<T> host = out.host();
  for (int i = 0; i < n; i++) {
    T expected[Functions];
    evaluate(in[i], expected);
    for (int f = 0; f < Functions; f++) {
      T difference = std::fabs(host[Functions * i + f] - expected[f]);
      if (!(difference <= bound * std::fmax(T(1), std::fabs(expected[f])))) {
        std::fprintf(stderr, "function %d at %g: %.17g, expected %.17g\n", f, double(in[i]),
                     double(host[Functions * i + f]), double(expected[f]));
        std::exit(1);
      }
    }
  }
}

int main() {
  check<float>(4e-6f);
  check<double>(1e-14);
  const int n = 133;
  std::vector<float> in(n);
  for (int i = 0; i < n; i++)
    in[i] = (i - 66) * 0.171f;
  DeviceBuffer<float> device(in), out(n);
  fast<<<blocks_for(n, 64), 64>>>(device, out, n);
  finish_launch();
  std::vector<float> host = out.host();
  for (int i = 0; i < n; i++) {
    float x = in[i], a = std::fabs(x);
    float expected = std::sin(x / 8) + std::exp(x / 8) + std::log(a + 1) + x / 3 + 1 / std::sqrt(a + 1) + 1 / (a + 2) +
                     std::fmin(std::fmax(x, 0.0f), 1.0f);
    REQUIRE(std::fabs(host[i] - expected) < 1e-4f);
  }
  std::puts("math: 24 functions");
}
