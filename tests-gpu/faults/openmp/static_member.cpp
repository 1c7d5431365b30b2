//! fault data-race
//! note The constructor counts objects in a static member; in the twin it counts atomically.
#include <cstdio>
#pragma omp begin declare target
struct Particle {
  static int alive;
  float x;
  explicit Particle(float start) : x(start) {
    //fixed: #pragma omp atomic
    alive++; //~
  }
};
int Particle::alive = 0;
#pragma omp end declare target
int main() {
  float out[64];
  int alive = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(from : out) //~
  for (int i = 0; i < 64; i++) {
    Particle p(i * 0.5f);
    out[i] = p.x * 2;
  }
#pragma omp target map(from : alive)
  alive = Particle::alive;
  std::printf("%d alive, %g\n", alive, out[63]);
}
