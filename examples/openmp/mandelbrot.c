/* Statistics of the Mandelbrot set: how many points stay bounded, after how many steps the others escape. Rows
 * take very different times, so threads take them one by one.
 * warpfold cc -O2 mandelbrot.c -o mandelbrot && warpfold run ./mandelbrot */
#include <stdio.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, MOST = 100 };

#pragma omp begin declare target
/* Without contraction: points near the edge depend on whether x * x - y * y is rounded once or twice. */
static int iterations(int column, int row) {
#pragma STDC FP_CONTRACT OFF
  double cx = -2.2 + 3.2 * column / WIDTH, cy = -1.2 + 2.4 * row / HEIGHT, x = 0, y = 0;
  int n = 0;
  while (n < MOST && x * x + y * y <= 4) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}
#pragma omp end declare target

int main(void) {
  static int image[HEIGHT][WIDTH];
  long inside = 0, sum = 0, sum_of_squares = 0;
  int slowest = 0, wrong = 0;
#pragma omp target teams distribute map(from : image) num_teams(8) thread_limit(64) \
    reduction(+ : inside, sum, sum_of_squares) reduction(max : slowest)
  for (int band = 0; band < HEIGHT / 8; band++) {
#pragma omp parallel for collapse(2) schedule(dynamic, 4) reduction(+ : inside, sum, sum_of_squares) \
    reduction(max : slowest)
    for (int row = band * 8; row < band * 8 + 8; row++)
      for (int column = 0; column < WIDTH; column++) {
        int n = image[row][column] = iterations(column, row);
        if (n == MOST) {
          inside++;
        } else {
          sum += n, sum_of_squares += n * n;
          if (n > slowest) slowest = n;
        }
      }
  }
  long inside_on_host = 0, sum_on_host = 0, squares_on_host = 0;
  int slowest_on_host = 0;
  for (int row = 0; row < HEIGHT; row++)
    for (int column = 0; column < WIDTH; column++) {
      int n = iterations(column, row);
      wrong += n != image[row][column];
      if (n == MOST) {
        inside_on_host++;
      } else {
        sum_on_host += n, squares_on_host += n * n;
        if (n > slowest_on_host) slowest_on_host = n;
      }
    }
  wrong += inside != inside_on_host || sum != sum_on_host || sum_of_squares != squares_on_host ||
           slowest != slowest_on_host;
  for (int row = 2; row < HEIGHT; row += 4) {
    for (int column = 0; column < WIDTH; column += 2) putchar(" .:-=+*%@#"[image[row][column] * 9 / MOST]);
    putchar('\n');
  }
  double left = WIDTH * HEIGHT - inside, mean = sum / left;
  printf("%ld points inside; the others leave after %.3f steps (variance %.2f), the last after %d\n", inside, mean,
         sum_of_squares / left - mean * mean, slowest);
  printf("%d values differ from the host's\n", wrong);
  return wrong != 0;
}
