// Tensor cores by mma instructions, with tiles as PTX defines them: halves, bfloats, tf32, doubles and bytes; ldmatrix.
#include "check.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

// Four lanes have a row of a and of the sums, and a column of b.
__device__ int group() { return threadIdx.x / 4; }
__device__ int in_group() { return threadIdx.x % 4; }

template <typename T> __device__ unsigned word(const T *from) { return *reinterpret_cast<const unsigned *>(from); }

template <typename T> __device__ unsigned shared_address(const T *at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

// The sums of a lane: of rows g and g + 8, columns t and t + 1.
template <typename T> __device__ void copy_sums(T *sums, T *matrix, int rows, bool store) {
  for (int i = 0; i < rows / 4; i++) {
    T &element = matrix[(group() + i / 2 * 8) * 8 + 2 * in_group() + i % 2];
    store ? element = sums[i] : sums[i] = element;
  }
}

// 16 x 8 x 16. The rows of a and the columns of b are contiguous.
template <typename T> __global__ void halves(const T *a, const T *b, float *c, int loads) {
  __shared__ alignas(16) T a_tile[256], b_tile[128], b_rows[128];
  for (int i = threadIdx.x; i < 256; i += 32)
    a_tile[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) {
    b_tile[i] = b[i];
    b_rows[i % 16 * 8 + i / 16] = b[i];
  }
  __syncthreads();
  int g = group(), t = 2 * in_group(), lane = threadIdx.x;
  unsigned x[4], y[2];
  if (loads == 0) {
    for (int i = 0; i < 4; i++)
      x[i] = word(&a_tile[(g + i % 2 * 8) * 16 + t + i / 2 * 8]);
    for (int i = 0; i < 2; i++)
      y[i] = word(&b_tile[g * 16 + t + i * 8]);
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&a_tile[lane % 16 * 16 + lane / 16 * 8])));
    if (loads == 1)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                   : "=r"(y[0]), "=r"(y[1])
                   : "r"(shared_address(&b_tile[lane % 8 * 16 + lane / 8 % 2 * 8])));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                   : "=r"(y[0]), "=r"(y[1])
                   : "r"(shared_address(&b_rows[lane % 16 * 8])));
  }
  float s[4];
  copy_sums(s, c, 16, false);
  if constexpr (std::is_same<T, __half>::value)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  copy_sums(s, c, 16, true);
}

// 16 x 8 x 8.
__global__ void tensor_floats(const float *a, const float *b, float *c) {
  int g = group(), t = in_group();
  unsigned x[4], y[2];
  for (int i = 0; i < 4; i++)
    x[i] = __float_as_uint(a[(g + i % 2 * 8) * 8 + t + i / 2 * 4]);
  for (int i = 0; i < 2; i++)
    y[i] = __float_as_uint(b[g * 8 + t + i * 4]);
  float s[4];
  copy_sums(s, c, 16, false);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  copy_sums(s, c, 16, true);
}

// 8 x 8 x 4.
__global__ void doubles(const double *a, const double *b, double *c) {
  int g = group(), t = in_group();
  double s[2];
  copy_sums(s, c, 8, false);
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(s[0]), "+d"(s[1])
               : "d"(a[g * 4 + t]), "d"(b[g * 4 + t]));
  copy_sums(s, c, 8, true);
}

// 16 x 8 x 32.
__global__ void bytes(const signed char *a, const signed char *b, int *c) {
  int g = group(), t = 4 * in_group();
  unsigned x[4], y[2];
  for (int i = 0; i < 4; i++)
    x[i] = word(&a[(g + i % 2 * 8) * 32 + t + i / 2 * 16]);
  for (int i = 0; i < 2; i++)
    y[i] = word(&b[g * 32 + t + i * 16]);
  int s[4];
  copy_sums(s, c, 16, false);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
               "{%8, %9}, {%0, %1, %2, %3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  copy_sums(s, c, 16, true);
}

// Checks a product of small multiples of 1/8, which is exact in every order.
template <typename T, typename Sum, typename Launch> void check(int rows, int depth, Launch launch) {
  Numbers numbers(rows + depth);
  std::vector<T> a(rows * depth), b(8 * depth);
  std::vector<Sum> c(rows * 8);
  float scale = std::is_same<T, signed char>::value ? 1 : 0.125f;
  for (T &element : a)
    element = T((numbers.below(65) - 32) * scale);
  for (T &element : b)
    element = T((numbers.below(65) - 32) * scale);
  for (Sum &element : c)
    element = Sum((numbers.below(1000) - 500) * scale);
  DeviceBuffer<T> device_a(a), device_b(b);
  DeviceBuffer<Sum> device_c(c);
  launch(device_a.data, device_b.data, device_c.data);
  finish_launch();
  std::vector<Sum> found = device_c.host();
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < 8; column++) {
      double sum = double(c[row * 8 + column]);
      for (int i = 0; i < depth; i++)
        sum += double(float(a[row * depth + i])) * double(float(b[column * depth + i]));
      REQUIRE(double(found[row * 8 + column]) == sum);
    }
}

int main() {
  for (int loads : {0, 1, 2}) {
    check<__half, float>(16, 16, [&](auto a, auto b, auto c) { halves<<<1, 32>>>(a, b, c, loads); });
    check<__nv_bfloat16, float>(16, 16, [&](auto a, auto b, auto c) { halves<<<1, 32>>>(a, b, c, loads); });
  }
  check<float, float>(16, 8, [](auto a, auto b, auto c) { tensor_floats<<<1, 32>>>(a, b, c); });
  check<double, double>(8, 4, [](auto a, auto b, auto c) { doubles<<<1, 32>>>(a, b, c); });
  check<signed char, int>(16, 32, [](auto a, auto b, auto c) { bytes<<<1, 32>>>(a, b, c); });
  std::puts("mma: 5 types");
}
