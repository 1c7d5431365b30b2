// Accumulators that are narrower than what is added: only the last conversion matters to + * & | ^.
#include <stdio.h>
#define N 3000
static unsigned char bytes[N], low;
static signed char chars[N];
static short shorts[N];
static unsigned short words[N];
static int ints[N], out[N];
static long longs[N];
// An element of a histogram that stays the same in a row, beside elements that the row stores.
static double in_rows[16];
void rows_of_a_histogram(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      ++in_rows[ints[i] & 15];
      out[i * 20 + j] = ints[i] + j;
    }
#pragma endscop
}
unsigned char byte_sum(int n) { unsigned char s = 200;
#pragma scop
  for (int i = 0; i < n; i++) s += bytes[i];
#pragma endscop
  return s; }
int int_of_longs(int n) { int s = -5;
#pragma scop
  for (int i = 0; i < n; i++) s += longs[i];
#pragma endscop
  return s; }
int int_product_of_longs(int n) { int s = 3;
#pragma scop
  for (int i = 0; i < n; i++) s = (int) (s * (longs[i] % 1000 | 1));
#pragma endscop
  return s; }
unsigned short word_product(int n) { unsigned short s = 1;
#pragma scop
  for (int i = 0; i < n; i++) s *= words[i] % 200 | 1;
#pragma endscop
  return s; }
signed char difference(int n) { signed char s = 100;
#pragma scop
  for (int i = 0; i < n; i++) s = s - chars[i];
#pragma endscop
  return s; }
short bits(int n) { short s = -1;
#pragma scop
  for (int i = 0; i < n; i++) s ^= longs[i];
  for (int i = 0; i < n; i++) s &= ints[i] | 3;
#pragma endscop
  return s; }
// What is truncated further than what is stored is a sum of bytes in an `int`: no part may start at 0.
int in_between(int n) { int s = 1000;
#pragma scop
  for (int i = 0; i < n; i++) s = (unsigned char) (s + ints[i]);
#pragma endscop
  return s; }
void prefix(int n) { unsigned char s = 250;
#pragma scop
  for (int i = 0; i < n; i++) { s += bytes[i]; out[i] = s; }
#pragma endscop
}
void prefix_of_shorts(int n) {
#pragma scop
  for (int i = 1; i < n; i++) shorts[i] += shorts[i - 1];
#pragma endscop
}
unsigned char guarded(int n) { unsigned char s = 7;
#pragma scop
  for (int i = 0; i < n; i++) if (ints[i] > 5) s = (unsigned char) (s + 2 * bytes[i]);
#pragma endscop
  return s; }
static unsigned char histogram[16];
void histograms(int n) {
#pragma scop
  for (int i = 0; i < n; i++) histogram[bytes[i] & 15] += ints[i];
#pragma endscop
}
static unsigned char rows[40][50], sums[40];
void row_sums(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) { sums[i] = 1; for (int j = 0; j < m; j++) sums[i] += rows[i][j]; }
#pragma endscop
}
int main(void) {
  for (int n = 0; n <= N; n = 3 * n + 1) {
    unsigned x = 12345 + n;
    for (int i = 0; i < N; i++) {
      x = x * 1103515245 + 12345;
      bytes[i] = x >> 9, chars[i] = x >> 11, shorts[i] = x >> 10, words[i] = x >> 13, ints[i] = (int) x >> 3;
      longs[i] = (long) x << 20 ^ x;
    }
    for (int i = 0; i < 2000; i++) rows[i / 50][i % 50] = i * i >> 3;
    printf("%d %d %d %d ", byte_sum(n), int_of_longs(n), int_product_of_longs(n), word_product(n));
    printf("%d %d %d %d ", difference(n), bits(n), in_between(n), guarded(n));
    prefix(n), prefix_of_shorts(n), histograms(n), row_sums(n % 41, n % 51);
    rows_of_a_histogram(n % 149, 20);
    for (int i = 0; i < 16; i++) printf("%g ", in_rows[i]);
    unsigned long sum = 0; for (int i = 0; i < N; i++) sum = sum * 31 + out[i] * 7 + shorts[i];
    for (int i = 0; i < 16; i++) sum = sum * 31 + histogram[i];
    for (int i = 0; i < 40; i++) sum = sum * 31 + sums[i];
    printf("%lu\n", sum);
  }
}
