// Elements that no iteration accesses do not exist: in front of them and behind them is memory that nobody may touch.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define N 3000
#define PAGE 65536
static int ints[N];
static float floats[N];
static double doubles[N], out[N];
static int outs[N];
static void *memory(void) {
  static char *pages;
  if (!pages) {
    pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, PAGE, PROT_NONE);
    mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
  }
  memset(pages + PAGE, 0, PAGE);
  return pages + PAGE;
}
void sum(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) q[k] += ints[j];
#pragma endscop
}
void sum_of_floats(int n, int k, float *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) q[k] += floats[j];
#pragma endscop
}
void product(int n, int k, double *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0 && ints[j] > 0) q[k] *= doubles[j];
#pragma endscop
}
void minimum(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) if (ints[j] < q[k]) q[k] = ints[j];
#pragma endscop
}
void maximum(int n, int k, double *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) q[k] = doubles[j] > q[k] ? doubles[j] : q[k];
#pragma endscop
}
void last(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) { q[k] = ints[j] * 2; outs[j] = q[k] + 1; }
#pragma endscop
}
void running(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) { q[k] += ints[j]; outs[j] = q[k]; }
#pragma endscop
}
void running_maximum(int n, int k, double *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) { if (doubles[j] > q[k]) q[k] = doubles[j]; out[j] = q[k]; }
#pragma endscop
}
#ifndef DEVICE
void bins(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) q[k + (ints[j] & 7)] += 1;
#pragma endscop
}
#endif
void inner(int n, int m, int k, int *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) q[k] += ints[i] * j;
#pragma endscop
}
void rows(int n, int m, int k, int *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) if (k >= 0) q[k] += ints[(i + j) % 3000];
#pragma endscop
}
void row_sums(int n, int m, double *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) q[i] += doubles[(i + j) % 3000];
#pragma endscop
}
void conditional_rows(int n, int m, double *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) if (ints[j] > 5000) q[i] += doubles[(i + j) % 3000];
#pragma endscop
}
void columns(int n, int m, int k, double *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) if (ints[i] > 5000) q[j] += doubles[(i + j) % 3000];
#pragma endscop
}
int first(int n, int k, int *restrict q) { int at = -1;
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0 && ints[j] > 40) { q[k] = j; at = j; break; }
#pragma endscop
  return at; }
void pointed(int n, int *restrict p, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (p[j] > 0) q[0] += p[j];
#pragma endscop
}
void invariant(int n, int m, int k, int *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) if (k >= 0) outs[i] += q[k] * ints[j];
#pragma endscop
}
// What is true becomes 1 if an iteration says so.
int all_of(int n, int x) {
#pragma scop
  for (int j = 0; j < n; j++) x = x && ints[j] < 100;
#pragma endscop
  return x; }
int any_of(int n, int x) {
#pragma scop
  for (int j = 0; j < n; j++) x = x || ints[j] > 100;
#pragma endscop
  return x; }
#ifndef DEVICE
int all_of_some(int n, int x) {
#pragma scop
  for (int j = 0; j < n; j++) if (ints[j] > 1000) x = x && ints[j] < 2000;
#pragma endscop
  return x; }
#endif
int all_of_rows(int n, int m, int x) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x = x && ints[j] + i < 5000;
#pragma endscop
  return x; }
#ifndef DEVICE
int any_until(int n, int m, double x) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { if (m > 3) break; x = x || ints[j] > 100; }
#pragma endscop
  return x * 10; }
#endif
#ifndef DEVICE
void all_so_far(int n, int k) { int x = 5;
#pragma scop
  for (int j = 0; j < n; j++) { if (ints[j] > 20) x = x && ints[j] < 100; outs[j] = x; }
#pragma endscop
}
#endif
void element_of_all(int n, int k, int *restrict q) {
#pragma scop
  for (int j = 0; j < n; j++) if (k >= 0) q[k] = q[k] && ints[j] < 100;
#pragma endscop
}
static void show(const char *name, const void *memory, int bytes) {
  unsigned long hash = 0;
  for (int at = 0; at < bytes; at++) hash = hash * 31 + ((const unsigned char *)memory)[at];
  for (int at = 0; at < N; at++) hash = hash * 31 + (unsigned)outs[at] + (unsigned)(int)out[at];
  printf("%s %lx\n", name, hash);
}
int main(void) {
  for (int j = 0; j < N; j++) {
    ints[j] = j * 37 % 101 - 50;
    floats[j] = doubles[j] = (j * 37 % 101 - 50) / 8.0f;
    if (ints[j] > 0) doubles[j] = 1 << (j & 1);
  }
  int negative[4] = {-1, -1, -1, -1};
  for (int k = -1; k < 4; k += 4) {
    for (int n = 0; n <= N; n += N / 2) {
      char *q = memory();
#define CALL(f, ...) memory(), f(__VA_ARGS__), show(#f, q, PAGE)
      CALL(sum, n, k, (int *)q);
      CALL(sum_of_floats, n, k, (float *)q);
      CALL(product, n > 20 ? 20 : n, k, (double *)q);
      CALL(minimum, n, k, (int *)q);
      CALL(maximum, n, k, (double *)q);
      CALL(last, n, k, (int *)q);
      CALL(running, n, k, (int *)q);
      CALL(running_maximum, n, k, (double *)q);
#ifndef DEVICE
      CALL(bins, n, k, (int *)q);
#endif
      CALL(inner, n, 0, k, (int *)q);
      if (k >= 0) CALL(inner, n, 5, k, (int *)q);
      CALL(rows, n, 7, k, (int *)q);
      CALL(rows, 7, n, k, (int *)q);
      CALL(invariant, n, 7, k, (int *)q);
      printf("%d\n", first(n, k, (int *)q));
      for (int x = 0; x < 6; x += 5) {
        printf("%d %d %d %d %d\n", all_of(n, x), any_of(n, x), all_of_rows(n, 3, x), all_of_rows(3, n, x), all_of_rows(n, 0, x));
#ifndef DEVICE
        printf("%d %d %d\n", all_of_some(n, x), any_until(n > 99 ? 99 : n, 3 - k, x + 0.5), any_until(n, 5, x));
#endif
      }
#ifndef DEVICE
      CALL(all_so_far, n, k);
#endif
      for (int x = 0; x < 6; x += 5) {
        ((int *)memory())[3] = x;
        element_of_all(n, k, (int *)q), show("element_of_all", q, PAGE);
      }
    }
  }
  char *q = memory();
  // No elements at all.
  CALL(row_sums, 300, 0, (double *)(q + PAGE));
#ifndef DEVICE
  // What data alone leave out is moved to a device.
  CALL(conditional_rows, 300, 300, (double *)(q + PAGE));
  CALL(columns, 300, 300, 0, (double *)(q + PAGE));
  CALL(pointed, 4, negative, (int *)(q + PAGE));
#endif
  // The last ones.
  CALL(row_sums, 300, 10, (double *)(q + PAGE) - 300);
  CALL(row_sums, 10, 3000, (double *)(q + PAGE) - 10);
  return 0;
}
