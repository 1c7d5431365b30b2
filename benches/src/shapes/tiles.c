// A product of matrices of 256 x 256 floats in tiles of 16 x 16, which teams keep in shared memory.
#include <omp.h>
#include "timer.h"

enum { TILE = 16 };

int main(void) {
  int n = 256, tiles = n / TILE;
  float *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
  for (int i = 0; i < n * n; i++)
    a[i] = i % 3, b[i] = 2, c[i] = 0;
#pragma omp target enter data map(to : a[:n * n], b[:n * n], c[:n * n])
  while (bench_again()) {
#pragma omp target teams num_teams(tiles * tiles) thread_limit(TILE * TILE)
    {
      float left[TILE][TILE], right[TILE][TILE];
#pragma omp parallel num_threads(TILE * TILE)
      {
        int team = omp_get_team_num(), thread = omp_get_thread_num();
        int y = thread / TILE, x = thread % TILE, row = team / tiles * TILE + y, column = team % tiles * TILE + x;
        float s = 0;
        for (int from = 0; from < n; from += TILE) {
          left[y][x] = a[row * n + from + x];
          right[y][x] = b[(from + y) * n + column];
#pragma omp barrier
          for (int k = 0; k < TILE; k++)
            s += left[y][k] * right[k][x];
#pragma omp barrier
        }
        c[row * n + column] = s;
      }
    }
  }
#pragma omp target exit data map(from : c[:n * n]) map(delete : a[:n * n], b[:n * n])
  return c[0] != 2 * 255;
}
