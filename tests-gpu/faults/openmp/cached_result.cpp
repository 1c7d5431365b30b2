//! fault data-race
//! note A const method keeps its last result in mutable members, and threads share the object; the twin keeps nothing.
#include <cstdio>
struct Square {
  mutable int last = -1, result = 0;
  int operator()(int i) const {
    //fixed: return i * i;
    if (i != last) { //~
      last = i; //~
      result = i * i; //~
    }
    return result; //~
  }
};
int main() {
  Square square;
  int out[128], sum = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : square) map(from : out)
  for (int i = 0; i < 128; i++) out[i] = square(i / 2);
  for (int i = 0; i < 128; i++) sum += out[i];
  std::printf("sum %d\n", sum);
}
