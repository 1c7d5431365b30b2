#define FOR(i, n) for (int i = 0; i < (n); i++)
#define ADD(x, y) x += (y)
void f(int n, double *a, double s) {
#pragma scop
  FOR(i, n)
    FOR(j, i + 1)
      ADD(a[i], a[j] * s);
#pragma endscop
}
