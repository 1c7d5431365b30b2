// What the CUDA peers share: arguments, input, results. A program is called as `PROGRAM REDUCTION ELEMENTS GRID
// LAUNCHES`; it checks the results, and prints the seconds of the fastest launch, with the copy of its results to the
// host.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void require(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s: error %d\n", what, (int)error);
  exit(1);
}

struct Peer {
  enum { NOT_HERE = 9 };
  const char *reduction;
  long n;
  bool is_many;
  int times;

  Peer(int count, char **arguments) {
    if (count != 5) exit(2);
    reduction = arguments[1];
    n = atol(arguments[2]);
    is_many = !strcmp(arguments[3], "many");
    times = atoi(arguments[4]);
  }

  bool is(const char *name) const { return !strcmp(reduction, name); }

  int multiprocessors() const {
    int count;
    require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");
    return count;
  }

  // `reduce` returns when the host has the results.
  template <class F> void launches(F reduce) const {
    double fastest = 1e9;
    for (int i = 0; i < times; i++) {
      auto start = std::chrono::steady_clock::now();
      reduce();
      double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (seconds < fastest) fastest = seconds;
    }
    printf("%.9f\n", fastest);
  }
};

// Columns of n elements: ones in two of 64 rows, and zeros; one of the rows differs. All sums are exact. In a minimum
// there are ones, and the initial value is larger.
template <class T> struct Arrays {
  const Peer &peer;
  T initial, *in, *out;
  std::vector<double> expected;
  std::vector<T> got;

  Arrays(const Peer &peer, int columns, T initial) : peer(peer), initial(initial), expected(columns, 0) {
    std::vector<T> values(peer.n * columns);
    for (int j = 0; j < columns; j++)
      for (long i = 0; i < peer.n; i++) {
        values[j * peer.n + i] = i % 64 == 5 || (i + j) % 64 == 7 || initial != 0;
        expected[j] += (double)values[j * peer.n + i];
      }
    if (initial != 0) expected[0] = 1;
    if (peer.is("dot_f64")) {
      expected[0] = 0;
      for (long i = 0; i < peer.n; i++) expected[0] += (double)values[i] * (double)values[peer.n + i];
    }
    require(cudaMalloc((void **)&in, values.size() * sizeof(T)), "memory");
    require(cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
    require(cudaMalloc((void **)&out, columns * sizeof(T)), "memory");
  }

  void reset() {
    std::vector<T> fresh(expected.size(), initial);
    require(cudaMemcpy(out, fresh.data(), fresh.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }

  // Times launches that leave so many results in `out`, and checks the last ones. The time includes the copy to the
  // host, which waits for the launch: a program needs the results there.
  template <class F> void launches(int results, F launch) {
    got.resize(results);
    peer.launches([&] {
      launch();
      require(cudaMemcpy(got.data(), out, results * sizeof(T), cudaMemcpyDeviceToHost), "launch");
    });
    for (int j = 0; j < results; j++)
      if ((double)got[j] != expected[j]) {
        fprintf(stderr, "%s: column %d is %g, not %g\n", peer.reduction, j, (double)got[j], expected[j]);
        exit(1);
      }
  }
};
