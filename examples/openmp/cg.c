/* Conjugate gradients for Poisson's equation on a square grid, without a matrix in memory.
 * warpfold cc -O2 cg.c -o cg -lm && warpfold run ./cg */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 24, N = SIDE * SIDE, MOST = 200 };

#pragma omp begin declare target
/* Element i of A v: the five-point stencil, zero beyond the edge. */
static double apply(const double *v, int i) {
  int x = i % SIDE, y = i / SIDE;
  double sum = 4 * v[i];
  if (x > 0) sum -= v[i - 1];
  if (x < SIDE - 1) sum -= v[i + 1];
  if (y > 0) sum -= v[i - SIDE];
  if (y < SIDE - 1) sum -= v[i + SIDE];
  return sum;
}
#pragma omp end declare target

static double dot(const double *a, const double *b) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : a[0 : N], b[0 : N])
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
  return sum;
}

/* a = x a + y b */
static void combine(double *a, double x, double y, const double *b) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : N]) map(to : b[0 : N])
  for (int i = 0; i < N; i++) a[i] = x * a[i] + y * b[i];
}

int main(void) {
  static double u[N], b[N], r[N], p[N], q[N], exact[N];
  for (int i = 0; i < N; i++) exact[i] = 1 + i % SIDE % 5 - 0.25 * (i / SIDE % 3);
  for (int i = 0; i < N; i++) b[i] = r[i] = p[i] = apply(exact, i);

  int steps = 0;
  double first, now;
#pragma omp target data map(to : r, p, b) map(alloc : q) map(tofrom : u)
  {
    first = now = dot(r, r);
    while (steps < MOST && now > 1e-20 * first) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) q[i] = apply(p, i);
      double step = now / dot(p, q), before = now;
      combine(u, 1, step, p);
      combine(r, 1, -step, q);
      now = dot(r, r);
      combine(p, now / before, 1, r);
      steps++;
    }
  }
  double error = 0;
  for (int i = 0; i < N; i++) error = fmax(error, fabs(u[i] - exact[i]));
  /* The condition number is about 230, the residual 1e-10 of the right-hand side. */
  int good = error < 1e-7 && steps < MOST;
  printf("|b| = %.6f, solved in %s steps\n", sqrt(first), steps < 80 ? "fewer than 80" : "80 or more");
  printf("the largest error is %s 1e-7\n", good ? "below" : "not below");
  return !good;
}
