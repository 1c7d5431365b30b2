// Tensor cores by wmma: products of several tiles, of every shape, and with every order of elements in memory.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>

using namespace nvcuda;

// Each warp computes one tile of 16 x 16.
__global__ void product(const __half *a, const __half *b, float *c, int m, int n, int k) {
  int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.5f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(a_tile, a + row * k + i, k);
    wmma::load_matrix_sync(b_tile, b + column * k + i, k);
    wmma::mma_sync(sums, a_tile, b_tile, sums);
  }
  for (int i = 0; i < sums.num_elements; i++)
    sums.x[i] *= 2;
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}

__global__ void product_of_bytes(const signed char *a, const signed char *b, int *c, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;
  wmma::fill_fragment(sums, 3);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(a_tile, a + i, k);
    wmma::load_matrix_sync(b_tile, b + i * 16, 16);
    wmma::mma_sync(sums, a_tile, b_tile, sums);
  }
  wmma::store_matrix_sync(c, sums, 16, wmma::mem_col_major);
}

// One product of a shape; the matrices in memory are wider than the tiles.
template <typename T, typename Sum, int M, int N, int K, typename OrderA, typename OrderB>
__global__ void of_shape(const T *a, const T *b, Sum *c, int width, bool by_column) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, OrderA> a_tile;
  wmma::fragment<wmma::matrix_b, M, N, K, T, OrderB> b_tile;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
  wmma::layout_t order = by_column ? wmma::mem_col_major : wmma::mem_row_major;
  wmma::load_matrix_sync(a_tile, a, width);
  wmma::load_matrix_sync(b_tile, b, width);
  wmma::load_matrix_sync(sums, c, width, order);
  wmma::mma_sync(sums, a_tile, b_tile, sums);
  wmma::store_matrix_sync(c, sums, width, order);
}

template <typename T, typename Sum, int M, int N, int K, typename OrderA, typename OrderB> void check_orders() {
  constexpr int Width = 48;
  Numbers numbers(M + 2 * N);
  std::vector<T> a(Width * Width), b(Width * Width);
  std::vector<Sum> c(Width * Width);
  // Of unsigned bytes only numbers that there are.
  int least = std::is_unsigned<T>::value ? 0 : -8;
  for (T &value : a)
    value = T(static_cast<float>(numbers.below(17) + least));
  for (T &value : b)
    value = T(static_cast<float>(numbers.below(17) + least));
  for (Sum &value : c)
    value = Sum(static_cast<float>(numbers.below(17) - 8));
  auto at = [](bool by_column, int row, int column) { return by_column ? column * Width + row : row * Width + column; };
  constexpr bool a_by_column = std::is_same<OrderA, wmma::col_major>::value;
  constexpr bool b_by_column = std::is_same<OrderB, wmma::col_major>::value;
  for (bool by_column : {false, true}) {
    DeviceBuffer<T> da(a), db(b);
    DeviceBuffer<Sum> dc(c);
    of_shape<T, Sum, M, N, K, OrderA, OrderB><<<1, 32>>>(da.data, db.data, dc.data, Width, by_column);
    finish_launch();
    std::vector<Sum> found = dc.host();
    for (int row = 0; row < Width; row++)
      for (int column = 0; column < Width; column++) {
        float sum = static_cast<float>(c[at(by_column, row, column)]);
        if (row < M && column < N)
          for (int i = 0; i < K; i++)
            sum += static_cast<float>(a[at(a_by_column, row, i)]) * static_cast<float>(b[at(b_by_column, i, column)]);
        REQUIRE(static_cast<float>(found[at(by_column, row, column)]) == sum);
      }
  }
}

template <typename T, typename Sum, int M, int N> void check_shape() {
  check_orders<T, Sum, M, N, 16, wmma::row_major, wmma::row_major>();
  check_orders<T, Sum, M, N, 16, wmma::row_major, wmma::col_major>();
  check_orders<T, Sum, M, N, 16, wmma::col_major, wmma::row_major>();
  check_orders<T, Sum, M, N, 16, wmma::col_major, wmma::col_major>();
}

int main() {
  check_shape<__half, __half, 16, 16>();
  check_shape<__half, float, 32, 8>();
  check_shape<__nv_bfloat16, float, 8, 32>();
  check_shape<signed char, int, 32, 8>();
  check_shape<unsigned char, int, 16, 16>();
  check_orders<double, double, 8, 8, 4, wmma::col_major, wmma::row_major>();

  const int m = 48, n = 32, k = 80;
  Numbers numbers(17);
  std::vector<__half> a(m * k), b(n * k);
  for (__half &value : a)
    value = __float2half((numbers.below(33) - 16) / 4.0f);
  for (__half &value : b)
    value = __float2half((numbers.below(33) - 16) / 8.0f);
  DeviceBuffer<__half> da(a), db(b);
  DeviceBuffer<float> dc(m * n);
  product<<<dim3(n / 16, m / 16), 32>>>(da, db, dc, m, n, k);
  finish_launch();
  std::vector<float> c = dc.host();
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      // All products and sums are multiples of 1/32 and small: exact in any order.
      float sum = 0.5f;
      for (int i = 0; i < k; i++)
        sum += __half2float(a[row * k + i]) * __half2float(b[column * k + i]);
      REQUIRE(c[row * n + column] == 2 * sum);
    }

  std::vector<signed char> bytes_a(16 * k), bytes_b(16 * k);
  for (signed char &value : bytes_a)
    value = static_cast<signed char>(numbers.below(256) - 128);
  for (signed char &value : bytes_b)
    value = static_cast<signed char>(numbers.below(256) - 128);
  DeviceBuffer<signed char> device_a(bytes_a), device_b(bytes_b);
  DeviceBuffer<int> device_c(256);
  product_of_bytes<<<1, 32>>>(device_a, device_b, device_c, k);
  finish_launch();
  std::vector<int> products = device_c.host();
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 16; column++) {
      int sum = 3;
      for (int i = 0; i < k; i++)
        sum += bytes_a[row * k + i] * bytes_b[i * 16 + column];
      REQUIRE(products[column * 16 + row] == sum);
    }
  std::puts("wmma: 8 shapes");
}
