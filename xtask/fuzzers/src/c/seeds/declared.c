static int state[4];
static const double table[2] = {1, 2};
static inline double square(double x) { return x * x + table[0]; }
int next(void);
void f(int n, double *a) {
  int i;
#pragma scop
  for (i = 1; i < n && i < 100; i++) {
    double t = square(a[i]), u[2];
    u[0] = t;
    u[1] = u[0] - a[i - 1];
    a[i] = u[1];
    state[i % 4] -= 1;
  }
#pragma endscop
#pragma scop
  for (i = 0; i < n; i++)
    a[i] = next();
#pragma endscop
}
