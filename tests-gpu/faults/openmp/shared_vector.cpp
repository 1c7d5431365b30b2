//! fault data-race
//! note push_back of a small vector class is called by all threads; in the twin it takes its index atomically.
#include <cstdio>
struct Vector {
  int size = 0, data[128];
  void push_back(int value) {
    int at;
    //fixed: #pragma omp atomic capture
    at = size++; //~
    data[at] = value; //~
  }
};
int main() {
  Vector odd;
  int n = 128, sum = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : odd)
  for (int i = 0; i < n; i++)
    if (i % 2 != 0) odd.push_back(i);
  for (int i = 0; i < odd.size; i++) sum += odd.data[i];
  std::printf("%d odd numbers, sum %d\n", odd.size, sum);
}
