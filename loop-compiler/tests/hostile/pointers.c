// Pointers that point to what others do, each legal C. Every region is read but that of what each thread has.
// rejected: each thread has a `tls` of its own

#include <stdio.h>
#include <stdlib.h>
double buf[1000]; double *A, *B;
void f1(int n) {
#pragma scop
  for (int i = 0; i < n; i++) A[i] = B[i] + 1;
#pragma endscop
}
int g, *pg = &g; int ia[1000], ib[1000];
void f2(int n) {
#pragma scop
  for (int i = 0; i < n; i++) { ia[i] = g; *pg = i; }
#pragma endscop
}
int a2[1001]; static int *const cp = a2 + 1;
void f3(int n) {
#pragma scop
  for (int i = 0; i < n; i++) cp[i] = a2[i] + 1;
#pragma endscop
}
static int t, *sp;
void f4(int n) {
  sp = &t;
#pragma scop
  for (int i = 0; i < n; i++) { t += ia[i]; ib[i] = *sp; }
#pragma endscop
}
int arr[1001];
void f5(int n) {
  static int *y = arr;
#pragma scop
  for (int i = 0; i < n; i++) arr[i + 1] = y[i] + 1;
#pragma endscop
}
void f6(int n, double *restrict a) {
  double *p = a;
#pragma scop
  for (int i = 0; i < n; i++) a[i + 1] = p[i] + 1;
#pragma endscop
}
void f7(int n, double *restrict a) {
  double (*p)[4] = (double (*)[4]) (a + 1);
#pragma scop
  for (int i = 0; i < n / 4; i++) for (int j = 0; j < 4; j++) p[i][j] = a[4 * i + j] + 1;
#pragma endscop
}
void f8(int n, double *restrict x) {
  for (int k = 0; k < 3; k++) {
    double *p = x + k;
#pragma scop
    for (int i = 0; i < n; i++) p[i] = x[i] + 1;
#pragma endscop
  }
}
struct S { int **a, **b; int n; int *d, *e; };
void f9(struct S *s) {
#pragma scop
  for (int i = 0; i < s->n; i++) for (int j = 0; j < 50; j++) s->a[i][j] = s->b[i][j] + 1;
#pragma endscop
}
void f10(struct S *s) {
#pragma scop
  for (int i = 0; i < s->n; i++) for (int j = 0; j < 50; j++) s->a[i][j] = s->a[i][j] * 3 + i;
#pragma endscop
}
void f11(struct S *s) {
#pragma scop
  for (int i = 0; i < s->n; i++) s->d[i] = 5;
#pragma endscop
}
typedef int __attribute__((may_alias)) mint;
void f12(int n, mint *p, float *q) {
#pragma scop
  for (int i = 0; i < n; i++) p[i + 1] = q[i] + 1;
#pragma endscop
}
int base[1000]; extern int ali[1000] __attribute__((alias("base")));
void f13(int n) {
#pragma scop
  for (int i = 0; i < n; i++) ali[i + 1] = base[i] + 1;
#pragma endscop
}
_Thread_local int tls; 
void f14(int n) {
#pragma scop
  for (int i = 0; i < n; i++) ia[i] = tls + i;
#pragma endscop
}
static unsigned char *cbuf;
void f15(int n) {
#pragma scop
  for (int i = 0; i < n; i++) cbuf[i] = i;
#pragma endscop
}
void f16(int n, int *rows[4]) {
#pragma scop
  for (int i = 0; i < 4; i++) for (int j = 0; j < n; j++) rows[i][j] = rows[i][j] * 3 + i;
#pragma endscop
}
void f17(int n, int k) {
  int *rows[4] = { ia, ia + 1, ia + k, ia + k };
#pragma scop
  for (int i = 0; i < 4; i++) for (int j = 0; j < n; j++) rows[i][j] = rows[i][j] * 3 + i;
#pragma endscop
}
void f18(int n) {
  extern int ia[1000]; int *q = ia;
#pragma scop
  for (int i = 0; i < n; i++) ia[i + 1] = q[i] + 1;
#pragma endscop
}
void keep(double *);
double *kept;
void keep(double *p) { kept = p; }
void f19(int n) {
  double *x = malloc((n + 1) * sizeof *x);
  for (int i = 0; i <= n; i++) x[i] = i;
  keep(x);
  double *y = kept;
#pragma scop
  for (int i = 0; i < n; i++) x[i + 1] = y[i] + 1;
#pragma endscop
  printf("f19 %g\n", x[n]); free(x);
}
static struct S file_s;
void f20(int n) {
#pragma scop
  for (int i = 0; i < n; i += 2) file_s.d[i] = file_s.e[i / 2];
#pragma endscop
}
static long sum(int *x, int n) { long s = 0; for (int i = 0; i < n; i++) s = s * 31 + x[i]; return s; }
int main(void) {
  A = buf + 1; B = buf; f1(900); printf("f1 %g\n", buf[900]);
  for (int i = 0; i < 1000; i++) ia[i] = 1;
  f2(900); printf("f2 %ld\n", sum(ia, 1000));
  f3(900); printf("f3 %d\n", a2[900]);
  f4(900); printf("f4 %d %ld\n", t, sum(ib, 1000));
  f5(900); printf("f5 %d\n", arr[900]);
  f6(900, buf); printf("f6 %g\n", buf[900]);
  f7(900, buf); printf("f7 %g\n", buf[900]);
  f8(900, buf); printf("f8 %g\n", buf[902]);
  static int pool[4000]; int *ra[20], *rb[20];
  for (int i = 0; i < 20; i++) ra[i] = pool + 50 * i, rb[19 - i] = pool + 50 * i;
  struct S s = { ra, rb, 20, 0 }; f9(&s); printf("f9 %ld\n", sum(pool, 4000));
  for (int i = 0; i < 20; i++) ra[i] = pool + 7 * i; f10(&s); printf("f10 %ld\n", sum(pool, 4000));
  for (int i = 0; i < 20; i++) ra[i] = pool + 150 * i, rb[i] = pool + 150 * i + 70; f9(&s); f10(&s); printf("f10 %ld\n", sum(pool, 4000));
  for (int i = 0; i < 20; i++) ra[i] = pool + 50 * i, rb[i] = pool + 1040 - 53 * i; f9(&s); printf("f9 %ld\n", sum(pool, 4000));
  struct S *h = malloc(sizeof(struct S) * 30); h->n = 40; h->d = &h->n - 3; 
  struct S old = *h; f11(h); printf("f11 %d\n", h->n);
  float fl[1000]; for (int i = 0; i < 1000; i++) fl[i] = 1; f12(900, (mint *)fl, fl); printf("f12 %d\n", ((mint *)fl)[900]);
  f13(900); printf("f13 %d\n", base[900]);
  tls = 77; f14(900); printf("f14 %ld\n", sum(ia, 1000));
  cbuf = (unsigned char *)&cbuf + 8; 
  static struct { unsigned char b[2000]; } u; cbuf = u.b; f15(1500); printf("f15 %d\n", u.b[1400]);
  int *rr[4] = { ia, ia + 5, ia + 500, ia + 1 }; f16(400, rr); printf("f16 %ld\n", sum(ia, 1000));
  f17(400, 30); printf("f17 %ld\n", sum(ia, 1000));
  f18(900); printf("f18 %ld\n", sum(ia, 1000));
  f19(900);
  for (int i = 0; i < 1000; i++) ia[i] = i * i;
  file_s.d = file_s.e = ia, f20(900), printf("f20 %ld\n", sum(ia, 1000));
}
