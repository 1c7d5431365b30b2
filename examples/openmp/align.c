/* The best local alignment of two strings (Smith and Waterman): the cells of an antidiagonal are independent, so
 * each antidiagonal is a target region.
 * warpfold cc -O2 align.c -o align && warpfold run ./align */
#include <stdio.h>
#include <string.h>

enum { N = 160, M = 140, MATCH = 3, MISMATCH = -2, GAP = -3 };

#pragma omp begin declare target
int score[N + 1][M + 1];
char a[N], b[M];

static int larger(int x, int y) { return x > y ? x : y; }

static int cell(int i, int j) {
  int diagonal = score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH);
  return larger(0, larger(diagonal, larger(score[i - 1][j], score[i][j - 1]) + GAP));
}
#pragma omp end declare target

int main(void) {
  unsigned state = 5;
  for (int i = 0; i < N; i++) state = state * 69069 + 1, a[i] = "ACGT"[state >> 30];
  /* The second string is a substring of the first with changes and gaps. */
  for (int j = 0, i = 11; j < M; j++, i++) {
    state = state * 69069 + 1;
    if (state >> 28 == 0) i++;
    b[j] = state >> 29 == 3 ? "ACGT"[state >> 26 & 3] : a[i % N];
  }
#pragma omp target update to(a, b)

  int best = 0, expected = 0;
  for (int d = 2; d <= N + M; d++) {
    int first = d - M > 1 ? d - M : 1, last = d - 1 < N ? d - 1 : N;
#pragma omp target teams distribute parallel for reduction(max : best) map(tofrom : best)
    for (int i = first; i <= last; i++) best = larger(best, score[i][d - i] = cell(i, d - i));
  }
  static int on_device[N + 1][M + 1];
#pragma omp target update from(score)
  memcpy(on_device, score, sizeof score);
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= M; j++) expected = larger(expected, score[i][j] = cell(i, j));

  printf("a %.40s ...\nb %.40s ...\n", a, b);
  int wrong = (best != expected) + (memcmp(on_device, score, sizeof score) != 0);
  printf("best local alignment: %d of at most %d; the host %s\n", best, M * MATCH, wrong ? "disagrees" : "agrees");
  return wrong;
}
