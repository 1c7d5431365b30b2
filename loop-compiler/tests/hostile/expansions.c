// every loop
// rejected: `printf` writes to a stream
// Loops that macros begin or end. What such a macro holds besides the loop stays.
#include <stdio.h>
#define EACH(i, n) for (int i = 0; i < n; i++)
#define SET_AND_EACH x = 7; for (int i = 0; i < n; i++)
#define IF_EACH if (n > 500) for (int i = 0; i < n; i++)
#define ADD_AND_COUNT b[i] += 1; x++
#define ADD_AND_CLOSE b[i] += 1; }
#define ADD { b[i] += 1; }
#define ONE + 1
#define ABS(x) ((x) < 0 ? -(x) : (x))
#define SAME(...) __VA_ARGS__
int x;
void begins(int n, int *b) {
  SET_AND_EACH { b[i] += 1; }
}
void is_guarded(int n, int *b) {
  IF_EACH { b[i] += 1; }
}
void goes_on(int n, int *b) {
  for (int i = 0; i < n; i++) ADD_AND_COUNT;
}
void closes(int n, int *b) {
  if (n > 500) {
    x = 3;
    for (int i = 0; i < n; i++) ADD_AND_CLOSE
  b[0] = x;
}
void closes_the_function(int n, int *b) {
  for (int i = 0; i < n; i++) ADD_AND_CLOSE
void blocks(int n, int *b) {
  x = 2; EACH(i, n) b[i] += 1; x += 3; EACH(i, n) ADD x *= 4; EACH(i, n) ADD
}
void branches(int n, int *b) {
  if (n > 500)
    for (int i = 1; i < n; i++) b[i] = b[i] ONE; else x++;
  for (int i = 1; i < n; i++) b[i] = b[i] ONE
    ;
  if (n > 500) for (int i = 1; i < n; i++) b[i] = SAME(b[i] ONE);
}
float largest(int n, float *a) {
  float m = ABS(a[0]);
  for (int i = 1; i < n; i++) if (ABS(a[i]) > m) m = ABS (a[i]) ;
  return m;
}
int main(void) {
  static int b[1000]; static float a[1000];
  for (int n = 1000; n >= 0; n -= 500) {
    for (int i = 0; i < 1000; i++) b[i] = i, a[i] = i % 7 - 90 * (i == 77);
    begins(n, b); printf("%d ", x);
    is_guarded(n, b); goes_on(n, b); printf("%d ", x);
    closes(n, b); printf("%d ", x);
    closes_the_function(n, b); blocks(n, b); printf("%d ", x);
    branches(n, b); printf("%d ", x);
    long sum = 0; for (int i = 0; i < 1000; i++) sum = sum * 31 + b[i];
    printf("%ld %g\n", sum, largest(n, a));
  }
}
