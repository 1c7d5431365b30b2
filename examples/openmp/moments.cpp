// Mean, variance and extremes of samples in one pass: a struct with a user-defined operator (declare reduction) that
// merges partial results by Chan's formula.
// warpfold c++ -O2 moments.cpp -o moments && warpfold run ./moments
#include <cmath>
#include <cstdio>
#include <vector>

struct Moments {
  long count = 0;
  double mean = 0, squares = 0;
  float least = INFINITY, most = -INFINITY;

  void add(float x) {
    count++;
    const double from_old = x - mean;
    mean += from_old / count;
    squares += from_old * (x - mean);
    least = x < least ? x : least;
    most = x > most ? x : most;
  }

  void merge(const Moments &other) {
    if (other.count == 0) return;
    const double apart = other.mean - mean;
    const long both = count + other.count;
    mean += apart * other.count / both;
    squares += other.squares + apart * apart * count * other.count / both;
    count = both;
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
  }
};

#pragma omp declare reduction(merge : Moments : omp_out.merge(omp_in)) initializer(omp_priv = Moments())

int main() {
  std::vector<float> samples(20000);
  unsigned state = 12;
  for (float &x : samples) {
    state = state * 1664525u + 1013904223u;
    // Far from zero, so that sums of squares would lose all digits.
    x = 5000 + (state >> 8) % 1000 / 100.0f;
  }
  const float *data = samples.data();
  const int n = samples.size();

  Moments all;
#pragma omp target teams distribute parallel for map(to : data[ : n]) map(tofrom : all) reduction(merge : all)
  for (int i = 0; i < n; i++) all.add(data[i]);

  Moments expected;
  for (float x : samples) expected.add(x);
  const double variance = all.squares / all.count, variance_on_host = expected.squares / expected.count;
  std::printf("%ld samples from %.2f to %.2f: mean %.4f, variance %.4f\n", all.count, all.least, all.most, all.mean,
              variance);
  // Partial results are merged in another order: within 1e-9 relative.
  const bool good = all.count == expected.count && all.least == expected.least && all.most == expected.most &&
                    std::fabs(all.mean - expected.mean) < 1e-9 * expected.mean &&
                    std::fabs(variance - variance_on_host) < 1e-9 * variance_on_host;
  std::printf("the host %s\n", good ? "agrees" : "disagrees");
  return !good;
}
