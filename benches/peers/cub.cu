// CUB's DeviceReduce, through its own host code; several columns are several calls. With GPU_TO_GPU: its sums of floats
// that have the same bits on every GPU.
#include "peer.h"

#include <cub/device/device_reduce.cuh>
#include <cuda/iterator>

struct Product {
  __host__ __device__ double operator()(const cuda::std::tuple<double, double> &t) const {
    return cuda::std::get<0>(t) * cuda::std::get<1>(t);
  }
};

// Calls with and without memory, as CUB wants it.
template <class T, class F> static void run(Arrays<T> &arrays, int results, F call) {
  size_t bytes = 0;
  require(call(nullptr, bytes), "size");
  void *memory;
  require(cudaMalloc(&memory, bytes ? bytes : 1), "memory");
  arrays.launches(results, [&] { require(call(memory, bytes), "call"); });
}

template <class T> static void sums(const Peer &peer, int columns) {
  Arrays<T> arrays(peer, columns, 0);
  run(arrays, columns, [&](void *memory, size_t &bytes) {
    cudaError_t error = cudaSuccess;
    for (int j = 0; j < (memory ? columns : 1) && error == cudaSuccess; j++)
      error = cub::DeviceReduce::Sum(memory, bytes, arrays.in + j * peer.n, arrays.out + j, (int)peer.n);
    return error;
  });
}

#ifdef GPU_TO_GPU
template <class T> static void same_bits(const Peer &peer) {
  Arrays<T> arrays(peer, 1, 0);
  auto wanted = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
  arrays.launches(1, [&] {
    require(cub::DeviceReduce::Sum(arrays.in, arrays.out, (int)peer.n, wanted), "call");
  });
}

int main(int count, char **arguments) {
  Peer peer(count, arguments);
  if (peer.is("sum_f32")) same_bits<float>(peer);
  else if (peer.is("sum_f64")) same_bits<double>(peer);
  else return Peer::NOT_HERE;
}
#else
int main(int count, char **arguments) {
  Peer peer(count, arguments);
  if (peer.is("sum_i32")) sums<int>(peer, 1);
  else if (peer.is("sum_f32")) sums<float>(peer, 1);
  else if (peer.is("sum_f64")) sums<double>(peer, 1);
  else if (peer.is("columns_2")) sums<double>(peer, 2);
  else if (peer.is("columns_8")) sums<double>(peer, 8);
  else if (peer.is("columns_32")) sums<double>(peer, 32);
  else if (peer.is("columns_64")) sums<double>(peer, 64);
  else if (peer.is("min_f32")) {
    Arrays<float> arrays(peer, 1, 3);
    run(arrays, 1, [&](void *memory, size_t &bytes) {
      return cub::DeviceReduce::Min(memory, bytes, arrays.in, arrays.out, (int)peer.n);
    });
  } else if (peer.is("dot_f64")) {
    Arrays<double> arrays(peer, 2, 0);
    auto pairs = cuda::make_zip_iterator((const double *)arrays.in, (const double *)arrays.in + peer.n);
    run(arrays, 1, [&](void *memory, size_t &bytes) {
      return cub::DeviceReduce::TransformReduce(memory, bytes, pairs, arrays.out, (int)peer.n,
                                                cuda::std::plus<>{}, Product{}, 0.0);
    });
  } else return Peer::NOT_HERE;
}
#endif
