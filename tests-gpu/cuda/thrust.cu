// nightly
// Thrust: reductions, scans, sorting, transformations, searches and iterators on device vectors.
#include "check.h"
#include <algorithm>
#include <numeric>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct Square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

int main() {
  const int n = 3001;
  std::vector<int> host(n);
  Numbers numbers(5);
  for (int &value : host)
    value = numbers.below(1000) - 300;
  thrust::device_vector<int> data(host.begin(), host.end()), result(n);
  REQUIRE(thrust::reduce(data.begin(), data.end()) == std::accumulate(host.begin(), host.end(), 0));
  REQUIRE(thrust::reduce(data.begin(), data.end(), -1000, thrust::maximum<int>()) ==
          *std::max_element(host.begin(), host.end()));
  long long squares = 0;
  for (int value : host)
    squares += Square()(value);
  REQUIRE(thrust::transform_reduce(data.begin(), data.end(), Square(), 0ll, thrust::plus<long long>()) == squares);
  REQUIRE(thrust::count_if(data.begin(), data.end(), IsEven()) == std::count_if(host.begin(), host.end(), IsEven()));

  std::vector<int> expected(n), found(n);
  thrust::inclusive_scan(data.begin(), data.end(), result.begin());
  thrust::copy(result.begin(), result.end(), found.begin());
  std::partial_sum(host.begin(), host.end(), expected.begin());
  REQUIRE(found == expected);

  thrust::transform(data.begin(), data.end(), thrust::counting_iterator<int>(10), result.begin(),
                    thrust::minus<int>());
  thrust::copy(result.begin(), result.end(), found.begin());
  for (int i = 0; i < n; i++)
    REQUIRE(found[i] == host[i] - (10 + i));

  thrust::sort(data.begin(), data.end());
  expected = host;
  std::sort(expected.begin(), expected.end());
  thrust::copy(data.begin(), data.end(), found.begin());
  REQUIRE(found == expected);
  auto end = thrust::unique(data.begin(), data.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  REQUIRE(end - data.begin() == static_cast<long>(expected.size()));
  std::printf("thrust: %d of %d differ\n", static_cast<int>(expected.size()), n);
}
