// Minima and maxima through conversions, and of zeros with different signs; `m17` takes the last of equal values, which
// another order of floats may change: it is called with distinct ones.

#include <stdio.h>
#include <string.h>
float infinite[2000];
int a[2000]; unsigned char ub[2000]; signed char sb[2000]; float fl[2000]; double db[2000]; unsigned un[2000]; short sh[2000]; long lo[2000];
int m1(int n) { int best = 0;
#pragma scop
  for (int i = 0; i < n; i++) { unsigned u = a[i]; if (u > best) best = u; }
#pragma endscop
  return best; }
int m2(int n) { signed char best = -100;
#pragma scop
  for (int i = 0; i < n; i++) if (ub[i] > best) best = ub[i];
#pragma endscop
  return best; }
unsigned m3(int n) { unsigned best = 5;
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] > (int)best) best = a[i];
#pragma endscop
  return best; }
float m4(int n) { float best = -1e30f;
#pragma scop
  for (int i = 0; i < n; i++) if (db[i] > best) best = db[i];
#pragma endscop
  return best; }
double m5(int n) { double best = -1e30;
#pragma scop
  for (int i = 0; i < n; i++) if (fl[i] > best) best = fl[i];
#pragma endscop
  return best; }
int m6(int n) { int best = 100000;
#pragma scop
  for (int i = 0; i < n; i++) best = fl[i] < best ? fl[i] : best;
#pragma endscop
  return best; }
long m7(int n) { short best = 0;
#pragma scop
  for (int i = 0; i < n; i++) best = a[i] > best ? a[i] : best;
#pragma endscop
  return best; }
float m8(int n) { float best = 0;
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] > best) best = a[i];
#pragma endscop
  return best; }
int m9(int n) { int best = -5;
#pragma scop
  for (int i = 0; i < n; i++) best = lo[i] > best ? lo[i] : best;
#pragma endscop
  return best; }
int m10(int n) { unsigned char best = 250; int at = -1;
#pragma scop
  for (int i = 0; i < n; i++) if (sb[i] < best) { best = sb[i]; at = i; }
#pragma endscop
  return best * 10000 + at; }
_Bool m11(int n) { _Bool best = 0;
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] > best) best = a[i];
#pragma endscop
  return best; }
long m12(int n) { unsigned best = 4000000000u;
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] < best) best = a[i];
#pragma endscop
  return best; }
long m13(int n) { long best = -1;
#pragma scop
  for (int i = 0; i < n; i++) { int x = un[i]; if (x > best) best = x; }
#pragma endscop
  return best; }
float m14(int n) { float best = -0.0f;
#pragma scop
  for (int i = 0; i < n; i++) if (fl[i] > best) best = fl[i];
#pragma endscop
  return best; }
float m15(int n) { float best = -1;
#pragma scop
  for (int i = 0; i < n; i++) best = fl[i] > best ? fl[i] : best;
#pragma endscop
  return best; }
double m16(int n) { double best = 1; int k = -1;
#pragma scop
  for (int i = 0; i < n; i++) if (db[i] < best) { best = db[i]; k = i; }
#pragma endscop
  return best + k; }
double m17(int n) { double best = 1;
#pragma scop
  for (int i = 0; i < n; i++) if (db[i] <= best) best = db[i];
#pragma endscop
  return best; }
double m18(int n) { double best = -1;
#pragma scop
  for (int i = 0; i < n; i++) if (best < -db[i]) best = -db[i];
#pragma endscop
  return best; }
// No element, or only infinite ones.
double m19(int n) { double best = -1.0 / 0.0;
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] > 1 << 30 && db[i] > best) best = db[i];
#pragma endscop
  return best; }
double m20(int n) { float least = 1.0f / 0.0f, best = -1.0f / 0.0f;
#pragma scop
  for (int i = 0; i < n; i++) { least = infinite[i] < least ? infinite[i] : least; best = -infinite[i] > best ? -infinite[i] : best; }
#pragma endscop
  return least + best; }
double m21(int n) { float all[3] = {1.0f / 0.0f, 1.0f / 0.0f, 1.0f / 0.0f};
#pragma scop
  for (int i = 0; i < n; i++) all[1] = infinite[i] < all[1] ? infinite[i] : all[1];
#pragma endscop
  return all[1]; }
// Maxima of elements beside a sum into another one of the array.
double m22(int n) { static double q[2000]; double *r = q;
#pragma scop
  for (int i = 0; i < 40; i++)
    for (int j = i + 1; j < n; j++) {
      if (db[i / 2] > r[j]) r[j] = db[i / 2];
      r[i] += a[j] % 7;
    }
#pragma endscop
  double s = 0; for (int i = 0; i < 2000; i++) s = s * 0.75 + q[i];
  return s; }
// The first of a row, and of the rows the last one; and the first of all.
double m23(int n) { int at = -1, row = -1;
#pragma scop
  for (int i = 0; i < n / 20; i++)
    for (int j = 0; j < 20; j++) if (sh[i * 20 + j] % 7 == 3) { at = j; row = i; break; }
#pragma endscop
  return at + 100 * row; }
double m24(int n) { int at = -1;
#pragma scop
  for (int i = 0; i < n / 20; i++)
    for (int j = 0; j < 20; j++) if (at < 0 && sh[i * 20 + j] % 7 == 3) at = i * 20 + j;
#pragma endscop
  return at; }
static void p(const char *s, double x) { long b; memcpy(&b, &x, 8); printf("%s %.17g %lx\n", s, x, b); }
int main(void) {
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 2000; i++) {
      int h = (i * 7919 + k * 131) % 2003;
      a[i] = k == 0 ? h - 1000 : k == 1 ? -1 - h : k == 2 ? h : h * 1000003 * (k & 1 ? 1 : -1);
      ub[i] = h; sb[i] = h; un[i] = (unsigned)h * 2654435761u; sh[i] = h * 33; lo[i] = (long)h * 4294967299;
      fl[i] = k == 3 ? (h % 2 ? 0.0f : -0.0f) : k == 4 ? (h % 3 ? -0.0f : -1.0f - h) : h * 1.7f - 1500; if (k == 5) fl[i] = h % 5 == 0 ? 0.0f : -0.0f;
      db[i] = k == 3 ? (h % 2 ? 0.0 : -0.0) : k == 4 ? (h % 3 ? 0.0 : 1.0) : k == 5 ? (h % 5 ? -0.0 : 0.0) : h / 3.0 - 300;
    }
    for (int i = 0; i < 2000; i++) infinite[i] = 1.0f / 0.0f;
    printf("case %d\n", k);
#define P(f) p(#f, f(1999))
    P(m1); P(m2); P(m3); P(m4); P(m5); P(m6); P(m7); P(m8); P(m9); P(m10); P(m11); P(m12); P(m13); P(m14); P(m15); P(m16); if (k < 3) P(m17); P(m18); P(m19); P(m20); P(m21); P(m22); P(m23); P(m24);
  }
}
