// Checks that end a program with a message, and a buffer of device memory.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

// A call of the runtime that must succeed.
#define CUDA(call) check_cuda((call), #call, __FILE__, __LINE__)

// A condition that must hold.
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                  \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

inline void check_cuda(cudaError_t error, const char *call, const char *file, int line) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName(error));
    std::exit(1);
  }
}

// Waits for a launch and checks both of its errors.
inline void finish_launch() {
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
}

inline int blocks_for(int count, int threads) { return (count + threads - 1) / threads; }

// The same small numbers on each run: the high bits of a linear congruential generator.
struct Numbers {
  unsigned long long state;
  explicit Numbers(unsigned long long seed) : state(seed * 2 + 1) {}
  unsigned next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>(state >> 33);
  }
  // Below `limit`.
  int below(int limit) { return static_cast<int>(next() % static_cast<unsigned>(limit)); }
};

template <typename T> struct DeviceBuffer {
  T *data = nullptr;
  std::size_t count;
  explicit DeviceBuffer(std::size_t count) : count(count) { CUDA(cudaMalloc(&data, count * sizeof(T))); }
  explicit DeviceBuffer(const std::vector<T> &host) : DeviceBuffer(host.size()) {
    CUDA(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(data); }
  operator T *() const { return data; }
  std::vector<T> host() const {
    std::vector<T> result(count);
    CUDA(cudaMemcpy(result.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }
};
