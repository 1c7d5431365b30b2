/* The product of two matrices in tiles, which the threads of a team load to shared memory.
 * warpfold cc -O2 matmul.c -o matmul && warpfold run ./matmul */
#include <omp.h>
#include <stdio.h>

enum { N = 40, TILE = 8, TILES = N / TILE };

static void multiply(const int a[N][N], const int b[N][N], int c[N][N]) {
#pragma omp target teams distribute collapse(2) num_teams(TILES *TILES) thread_limit(TILE *TILE) \
    map(to : a[0 : N], b[0 : N]) map(from : c[0 : N])
  for (int row = 0; row < TILES; row++)
    for (int column = 0; column < TILES; column++) {
      int left[TILE][TILE], right[TILE][TILE], sum[TILE][TILE];
#pragma omp parallel num_threads(TILE *TILE)
      {
#pragma omp for collapse(2)
        for (int y = 0; y < TILE; y++)
          for (int x = 0; x < TILE; x++) sum[y][x] = 0;
        for (int tile = 0; tile < TILES; tile++) {
          /* The barriers at the ends of the loops separate loads and uses of a tile. */
#pragma omp for collapse(2)
          for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++) {
              left[y][x] = a[row * TILE + y][tile * TILE + x];
              right[y][x] = b[tile * TILE + y][column * TILE + x];
            }
#pragma omp for collapse(2)
          for (int y = 0; y < TILE; y++)
            for (int x = 0; x < TILE; x++)
              for (int k = 0; k < TILE; k++) sum[y][x] += left[y][k] * right[k][x];
        }
#pragma omp for collapse(2) nowait
        for (int y = 0; y < TILE; y++)
          for (int x = 0; x < TILE; x++) c[row * TILE + y][column * TILE + x] = sum[y][x];
      }
    }
}

int main(void) {
  static int a[N][N], b[N][N], c[N][N];
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) a[y][x] = (y * 7 + x * 3) % 11 - 5, b[y][x] = (y * 5 + x * x) % 13 - 6;
  multiply(a, b, c);
  int wrong = 0, trace = 0;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      int sum = 0;
      for (int k = 0; k < N; k++) sum += a[y][k] * b[k][x];
      wrong += c[y][x] != sum;
      if (x == y) trace += c[y][x];
    }
  printf("corners %d %d %d %d, trace %d\n", c[0][0], c[0][N - 1], c[N - 1][0], c[N - 1][N - 1], trace);
  printf("%d elements differ from the host's\n", wrong);
  return wrong != 0;
}
