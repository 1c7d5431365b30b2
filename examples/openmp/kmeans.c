/* Clusters of points by k-means: assign each point to its nearest centre, move the centres, until none moves.
 * The new centres are computed by one reduction over arrays.
 * warpfold cc -O2 kmeans.c -o kmeans && warpfold run ./kmeans */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000, K = 5, MOST = 40 };

typedef struct {
  long x, y;
} Point;

#pragma omp begin declare target
static int nearest(Point p, const Point *centres) {
  int best = 0;
  long distance = -1;
  for (int k = 0; k < K; k++) {
    long x = p.x - centres[k].x, y = p.y - centres[k].y, d = x * x + y * y;
    if (distance < 0 || d < distance) best = k, distance = d;
  }
  return best;
}
#pragma omp end declare target

/* One round on the device; returns the number of points that changed their cluster. */
static int step(const Point *points, int *cluster, Point *centres) {
  long x[K] = {0}, y[K] = {0}, count[K] = {0};
  int moved = 0;
#pragma omp target teams distribute parallel for map(to : centres[0 : K]) \
    reduction(+ : x[ : K], y[ : K], count[ : K], moved)
  for (int i = 0; i < N; i++) {
    int k = nearest(points[i], centres);
    moved += k != cluster[i];
    cluster[i] = k;
    x[k] += points[i].x, y[k] += points[i].y, count[k]++;
  }
  for (int k = 0; k < K; k++)
    if (count[k]) centres[k] = (Point){x[k] / count[k], y[k] / count[k]};
  return moved;
}

static int step_on_host(const Point *points, int *cluster, Point *centres) {
  long x[K] = {0}, y[K] = {0}, count[K] = {0};
  int moved = 0;
  for (int i = 0; i < N; i++) {
    int k = nearest(points[i], centres);
    moved += k != cluster[i];
    cluster[i] = k;
    x[k] += points[i].x, y[k] += points[i].y, count[k]++;
  }
  for (int k = 0; k < K; k++)
    if (count[k]) centres[k] = (Point){x[k] / count[k], y[k] / count[k]};
  return moved;
}

int main(void) {
  static Point points[N];
  static int cluster[N], expected[N];
  unsigned state = 1;
  for (int i = 0; i < N; i++) {
    long middle[K][2] = {{0, 0}, {9000, 1000}, {2000, 8000}, {-7000, 4000}, {-3000, -6000}}, offset[2] = {0, 0};
    /* The sum of a few random numbers is mostly near 0. */
    for (int j = 0; j < 8; j++) {
      state = state * 1103515245u + 12345u;
      offset[j % 2] += (long)(state >> 16) % 1500 - 750;
    }
    points[i] = (Point){middle[i % K][0] + offset[0], middle[i % K][1] + offset[1]};
  }
  memset(cluster, -1, sizeof cluster), memset(expected, -1, sizeof expected);
  Point centres[K], centres_on_host[K];
  for (int k = 0; k < K; k++) centres[k] = centres_on_host[k] = points[k * K];

  int rounds = 0, wrong = 0;
#pragma omp target data map(to : points) map(tofrom : cluster)
  for (int moved = 1; moved && rounds < MOST; rounds++) {
    moved = step(points, cluster, centres);
    wrong += moved != step_on_host(points, expected, centres_on_host);
    wrong += memcmp(centres, centres_on_host, sizeof centres) != 0;
  }
  wrong += memcmp(cluster, expected, sizeof cluster) != 0;
  printf("%d rounds\n", rounds);
  for (int k = 0; k < K; k++) {
    int count = 0;
    for (int i = 0; i < N; i++) count += cluster[i] == k;
    printf("%d points around (%ld, %ld)\n", count, centres[k].x, centres[k].y);
  }
  printf("the host %s\n", wrong ? "disagrees" : "agrees");
  return wrong != 0;
}
