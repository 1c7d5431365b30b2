/* Breadth-first search in a graph: the thread that first sets a vertex's distance appends it to the next frontier,
 * at an index from an atomic capture.
 * warpfold cc -O2 bfs.c -o bfs && warpfold run ./bfs */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { VERTICES = 1500, DEGREE = 3 };

static int neighbour(int vertex, int k) {
  /* A ring with two kinds of shortcuts; the last vertices form a separate ring. */
  int ring = VERTICES - 100, of = vertex < ring ? ring : 100, start = vertex < ring ? 0 : ring;
  int step[DEGREE] = {1, 41, (vertex * 7919) % of};
  return start + (vertex - start + step[k]) % of;
}

int main(void) {
  static int edges[VERTICES][DEGREE], distance[VERTICES], expected[VERTICES], frontier[2][VERTICES];
  for (int v = 0; v < VERTICES; v++) {
    distance[v] = expected[v] = -1;
    for (int k = 0; k < DEGREE; k++) edges[v][k] = neighbour(v, k);
  }
  distance[0] = 0, frontier[0][0] = 0;
  int size = 1, level = 0, widest = 1;
#pragma omp target data map(to : edges, frontier) map(tofrom : distance)
  while (size > 0) {
    int next = 0, now = level % 2;
    level++;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : next)
    for (int i = 0; i < size; i++)
      for (int k = 0; k < DEGREE; k++) {
        int to = edges[frontier[now][i]][k], old;
#pragma omp atomic compare capture
        {
          old = distance[to];
          if (distance[to] == -1) distance[to] = level;
        }
        if (old == -1) {
          int index;
#pragma omp atomic capture
          index = next++;
          frontier[!now][index] = to;
        }
      }
    size = next;
    if (size > widest) widest = size;
  }

  int queue[VERTICES], head = 0, tail = 0, wrong = 0, reached = 0;
  expected[queue[tail++] = 0] = 0;
  while (head < tail) {
    int v = queue[head++];
    for (int k = 0; k < DEGREE; k++)
      if (expected[edges[v][k]] < 0) expected[queue[tail++] = edges[v][k]] = expected[v] + 1;
  }
  for (int v = 0; v < VERTICES; v++) wrong += distance[v] != expected[v], reached += distance[v] >= 0;
  printf("%d of %d vertices reached in %d levels, %d at most at once\n", reached, VERTICES, level - 1, widest);
  printf("%d distances differ from the host's\n", wrong);
  return wrong != 0;
}
