// Reductions as one writes them by hand in CUDA: grid-stride loops, shuffles, one atomic for each block and sum.
#include "peer.h"

enum { THREADS = 256 };

struct Sum {
  template <class T> __device__ static T apply(T x, T y) { return x + y; }
  template <class T> __device__ static void store(T *to, T x) { atomicAdd(to, x); }
};

// Of floats that are not negative, which are ordered as their bits are.
struct Min {
  __device__ static float apply(float x, float y) { return y < x ? y : x; }
  __device__ static void store(float *to, float x) { atomicMin((int *)to, __float_as_int(x)); }
};

template <class Op, class T> __device__ void block_reduce(T x, T *to) {
  __shared__ T warps[THREADS / 32];
  for (int offset = 16; offset > 0; offset /= 2) x = Op::apply(x, __shfl_down_sync(0xffffffffu, x, offset));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    x = warps[threadIdx.x % (THREADS / 32)];
    for (int offset = THREADS / 64; offset > 0; offset /= 2)
      x = Op::apply(x, __shfl_down_sync(0xffffffffu, x, offset));
    if (threadIdx.x == 0) Op::store(to, x);
  }
  __syncthreads();
}

// K columns of n elements, one after the other.
template <class Op, class T, int K> __global__ void columns(const T *a, long n, T initial, T *out) {
  T x[K];
#pragma unroll
  for (int j = 0; j < K; j++) x[j] = initial;
  for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < n; i += gridDim.x * (long)THREADS)
#pragma unroll
    for (int j = 0; j < K; j++) x[j] = Op::apply(x[j], a[j * n + i]);
#pragma unroll
  for (int j = 0; j < K; j++) block_reduce<Op>(x[j], out + j);
}

__global__ void dot(const double *a, long n, double *out) {
  double x = 0;
  for (long i = blockIdx.x * (long)THREADS + threadIdx.x; i < n; i += gridDim.x * (long)THREADS)
    x += a[i] * a[n + i];
  block_reduce<Sum>(x, out);
}

static int blocks;

template <class Op, class T, int K> static void run(Peer &peer, T initial) {
  Arrays<T> arrays(peer, K, initial);
  arrays.launches(K, [&] {
    arrays.reset();
    columns<Op, T, K><<<blocks, THREADS>>>(arrays.in, peer.n, initial, arrays.out);
  });
}

int main(int count, char **arguments) {
  Peer peer(count, arguments);
  int most = 8 * peer.multiprocessors(), needed = (peer.n + THREADS - 1) / THREADS;
  blocks = peer.is_many && needed > most ? most : needed;
  if (peer.is("sum_i32")) run<Sum, int, 1>(peer, 0);
  else if (peer.is("sum_f32")) run<Sum, float, 1>(peer, 0);
  else if (peer.is("sum_f64")) run<Sum, double, 1>(peer, 0);
  else if (peer.is("columns_2")) run<Sum, double, 2>(peer, 0);
  else if (peer.is("columns_8")) run<Sum, double, 8>(peer, 0);
  else if (peer.is("columns_32")) run<Sum, double, 32>(peer, 0);
  else if (peer.is("columns_64")) run<Sum, double, 64>(peer, 0);
  else if (peer.is("min_f32")) run<Min, float, 1>(peer, 3);
  else if (peer.is("dot_f64")) {
    Arrays<double> arrays(peer, 2, 0);
    arrays.launches(1, [&] {
      arrays.reset();
      dot<<<blocks, THREADS>>>(arrays.in, peer.n, arrays.out);
    });
  } else return Peer::NOT_HERE;
}
