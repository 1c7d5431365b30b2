//! fault data-race
//! note A lambda captures a counter by reference and all threads call it; in the twin it adds atomically.
#include <cstdio>
int main() {
  int words[200], clipped = 0;
  for (int i = 0; i < 200; i++) words[i] = i % 23;
#pragma omp target map(tofrom : words, clipped)
  {
    auto clip = [&clipped](int &length) {
      if (length <= 15) return;
      length = 15;
      //fixed: #pragma omp atomic
      clipped++; //~
    };
#pragma omp parallel for num_threads(64)
    for (int i = 0; i < 200; i++) clip(words[i]);
  }
  std::printf("%d clipped, %d\n", clipped, words[22]);
}
