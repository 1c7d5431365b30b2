/* Heat in a plate by Jacobi's method, until the largest change of a sweep is small.
 * warpfold cc -O2 jacobi.c -o jacobi && warpfold run ./jacobi */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, SWEEPS = 60 };

typedef double Plate[N][N];

static void edges(Plate t) {
  memset(t, 0, sizeof(Plate));
  for (int i = 0; i < N; i++) t[0][i] = 100, t[i][0] = 100 - 2.5 * i;
}

/* A sweep over the plate on the device; returns the largest change. */
static double sweep(Plate from, Plate to) {
  double change = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max : change)
  for (int y = 1; y < N - 1; y++)
    for (int x = 1; x < N - 1; x++) {
      to[y][x] = 0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
      change = fmax(change, fabs(to[y][x] - from[y][x]));
    }
  return change;
}

static double sweep_on_host(Plate from, Plate to) {
  double change = 0;
  for (int y = 1; y < N - 1; y++)
    for (int x = 1; x < N - 1; x++) {
      to[y][x] = 0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
      change = fmax(change, fabs(to[y][x] - from[y][x]));
    }
  return change;
}

int main(void) {
  static Plate a, b, c, d;
  edges(a), edges(b), edges(c), edges(d);
  double changes[SWEEPS];
  /* Both plates stay on the device between sweeps; only the change is copied back. */
#pragma omp target data map(tofrom : a) map(to : b)
  for (int i = 0; i < SWEEPS; i++) changes[i] = i % 2 ? sweep(b, a) : sweep(a, b);

  int wrong = 0;
  for (int i = 0; i < SWEEPS; i++) wrong += changes[i] != (i % 2 ? sweep_on_host(d, c) : sweep_on_host(c, d));
  for (int i = 0; i < N * N; i++) wrong += a[0][i] != c[0][i];
  printf("changes: first %.4f, tenth %.4f, last %.4f\n", changes[0], changes[9], changes[SWEEPS - 1]);
  printf("near the hot corner %.4f, in the middle %.4f\n", a[4][4], a[N / 2][N / 2]);
  printf("%d values differ from the host's\n", wrong);
  return wrong != 0;
}
