/* Prefix sums: each team scans its section in shared memory, then one thread scans the totals, then all teams
 * add the total of the sections before theirs.
 * warpfold cc -O2 scan.c -o scan && warpfold run ./scan */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { PART = 128, PARTS = 24, N = PART * PARTS - 50 };

/* data[i] becomes the sum of data[0 .. i]. */
static void scan(int *data, int n) {
  int totals[PARTS];
#pragma omp target data map(tofrom : data[0 : n]) map(alloc : totals)
  {
#pragma omp target teams distribute num_teams(PARTS) thread_limit(PART)
    for (int p = 0; p < PARTS; p++) {
      int part[2][PART], last;
#pragma omp parallel num_threads(PART)
      {
        int threads = omp_get_num_threads(), me = omp_get_thread_num(), now = 0;
        for (int i = me; i < PART; i += threads) part[0][i] = p * PART + i < n ? data[p * PART + i] : 0;
        for (int distance = 1; distance < PART; distance *= 2, now = !now) {
#pragma omp barrier
          for (int i = me; i < PART; i += threads)
            part[!now][i] = part[now][i] + (i >= distance ? part[now][i - distance] : 0);
        }
#pragma omp barrier
        for (int i = me; i < PART && p * PART + i < n; i += threads) data[p * PART + i] = part[now][i];
#pragma omp masked
        last = now;
      }
      totals[p] = part[last][PART - 1];
    }
#pragma omp target
    for (int i = 0, sum = 0; i < PARTS; i++) {
      int total = totals[i];
      totals[i] = sum;
      sum += total;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) data[i] += totals[i / PART];
  }
}

int main(void) {
  static int data[N];
  int sum = 0, wrong = 0;
  for (int i = 0; i < N; i++) data[i] = i * 37 % 101 - 40;
  scan(data, N);
  for (int i = 0; i < N; i++) {
    sum += i * 37 % 101 - 40;
    wrong += data[i] != sum;
  }
  printf("sums of the first %d: %d, of the first %d: %d, of all %d: %d\n", PART, data[PART - 1], N / 2,
         data[N / 2 - 1], N, data[N - 1]);
  printf("%d sums differ from the host's\n", wrong);
  return wrong != 0;
}
