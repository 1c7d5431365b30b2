// Copies in loops inside of loops whose threads have copies of the same variables (cli/tests/kernels.rs).
#include <stdio.h>
enum { ROWS = 70, COLUMNS = 90, MANY = 60000 };
static int a[ROWS][COLUMNS], b[ROWS], c[MANY];
static unsigned bins[64];

int last_of_rows(int n, int m) {
  int y = 3;
#pragma scop
#pragma warpfold schedule(parallel(i), parallel(j))
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) y = a[i][j];
    b[i] = 2;
  }
#pragma endscop
  return y;
}

int kept_of_rows(int n) {
  int y = 3;
#pragma scop
#pragma warpfold schedule(parallel(i), parallel(j))
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 9; j++) y = a[i][j];
    b[i] = y + 1;
  }
#pragma endscop
  return y;
}

int largest_of_rows(int n, int m) {
  int x = -7;
#pragma scop
#pragma warpfold schedule(parallel(i), parallel(j))
  for (int i = 0; i < n; i++) {
    x = -5;
    for (int j = 0; j < m; j++)
      if (a[i][j] > x) x = a[i][j];
    b[i] = x;
  }
#pragma endscop
  return x;
}

int last_of_bins(int n) {
  unsigned char x = 3;
#pragma scop
  for (int i = 0; i < n; i++) {
    x = c[i];
    for (int k = 0; k < 4; k++) bins[c[k] & 63] += 8;
  }
#pragma endscop
  return x;
}

int sums(int n, int m) {
  int s = 3;
#pragma scop
#pragma warpfold schedule(parallel(i), parallel(j))
  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = 0; j < m; j++) s += a[i][j];
    b[i] = s;
  }
#pragma endscop
  return s;
}

int main(void) {
  for (int i = 0; i < MANY; i++) c[i] = i * 37 % 251;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) a[i][j] = i * 100 + j;
  for (int n = 0; n < 3; n++)
    for (int m = 0; m < 3; m++) printf("%d\n", last_of_rows(n * 35, m * 45));
  for (int n = 0; n < 3; n++) {
    int last = kept_of_rows(n * 35);
    printf("%d %d\n", last, b[33]);
    last = largest_of_rows(n * 35, 90);
    printf("%d %d\n", last, b[33]);
    last = largest_of_rows(n * 35, 0);
    printf("%d %d\n", last, b[33]);
  }
  for (int n = 0; n < 3; n++) {
    int last = last_of_bins(n * 30000);
    printf("%d %u %u\n", last, bins[0], bins[37]);
  }
  for (int n = 0; n < 3; n++) {
    int last = sums(n * 35, 90);
    printf("%d %d\n", last, b[1]);
  }
}
