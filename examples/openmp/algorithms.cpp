// Functions as in <algorithm> and <numeric> on the device: templates over lambdas.
// warpfold c++ -O2 algorithms.cpp -o algorithms && warpfold run ./algorithms
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace device {

template <class T, class F> void transform(std::vector<T> &values, F f) {
  T *data = values.data();
  const long n = values.size();
#pragma omp target teams distribute parallel for map(tofrom : data[ : n])
  for (long i = 0; i < n; i++) data[i] = f(data[i]);
}

template <class R, class T, class F> R transform_reduce(const std::vector<T> &values, R start, F f) {
  const T *data = values.data();
  const long n = values.size();
#pragma omp target teams distribute parallel for map(to : data[ : n]) reduction(+ : start)
  for (long i = 0; i < n; i++) start += f(data[i]);
  return start;
}

template <class T, class F> long count_if(const std::vector<T> &values, F f) {
  return transform_reduce(values, 0L, [=](T x) { return f(x) ? 1L : 0L; });
}

template <class T, class F> bool all_of(const std::vector<T> &values, F f) {
  const T *data = values.data();
  const long n = values.size();
  bool all = true;
#pragma omp target teams distribute parallel for map(to : data[ : n]) reduction(&& : all) map(tofrom : all)
  for (long i = 0; i < n; i++) all = all && f(data[i]);
  return all;
}

// The index of the first smallest value, in two passes: OpenMP has no operator for indices.
template <class T> long min_element(const std::vector<T> &values) {
  const T *data = values.data();
  const long n = values.size();
  T least = data[0];
  long index = n;
#pragma omp target data map(to : data[ : n])
  {
#pragma omp target teams distribute parallel for reduction(min : least)
    for (long i = 0; i < n; i++) least = data[i] < least ? data[i] : least;
#pragma omp target teams distribute parallel for reduction(min : index)
    for (long i = 0; i < n; i++)
      if (data[i] == least) index = i < index ? i : index;
  }
  return index;
}

} // namespace device

template <class T> static bool same(const char *name, T device, T host) {
  if (device != host) std::printf("%s differs from the host's\n", name);
  return device == host;
}

int main() {
  std::vector<int> numbers(5000);
  std::iota(numbers.begin(), numbers.end(), -1000);
  auto expected = numbers;
  const int modulus = 997, factor = 31;
  auto scramble = [=](int x) { return (x * factor % modulus + modulus) % modulus; };
  device::transform(numbers, scramble);
  std::transform(expected.begin(), expected.end(), expected.begin(), scramble);

  auto square = [](int x) { return long(x) * x; };
  auto odd = [](int x) { return x % 2 != 0; };
  const long squares = device::transform_reduce(numbers, 0L, square), odds = device::count_if(numbers, odd);
  const long least = device::min_element(numbers);
  const bool below = device::all_of(numbers, [=](int x) { return x < modulus; });
  const bool all_odd = device::all_of(numbers, odd);

  bool good = same("transform", numbers, expected);
  good &= same("transform_reduce", squares,
               std::transform_reduce(expected.begin(), expected.end(), 0L, std::plus<>(), square));
  good &= same("count_if", odds, long(std::count_if(expected.begin(), expected.end(), odd)));
  good &= same("min_element", least, long(std::min_element(expected.begin(), expected.end()) - expected.begin()));

  std::vector<double> angles(1000);
  for (size_t i = 0; i < angles.size(); i++) angles[i] = i * 0.001;
  const double one = device::transform_reduce(angles, 0.0, [](double x) {
    return (std::sin(x) * std::sin(x) + std::cos(x) * std::cos(x)) / 1000;
  });
  good &= same("sin and cos", std::fabs(one - 1) < 1e-12, true);

  std::printf("sum of squares %ld, %ld odd, smallest at %ld, all below %d: %s, all odd: %s\n", squares, odds, least,
              modulus, below ? "yes" : "no", all_odd ? "yes" : "no");
  std::printf("the host %s\n", good ? "agrees" : "disagrees");
  return !good;
}
