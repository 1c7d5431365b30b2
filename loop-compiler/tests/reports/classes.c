// Every class of loop, a rejected region, and directives that are wrong: what the golden files of reports show.

void classes(int n, const double *restrict x, double *restrict y, const double *w, double *z,
             double a[restrict n][n]) {
  double sum = 0, last = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    y[i] = x[i] < 0 && x[i] > -1 ? 0 : x[i];
  for (int i = 0; i < n; i++)
    sum += x[i];
  for (int i = 0; i < n; i++) {
    double t = x[i] * x[i];
    last = t + 1;
    y[i] = last;
  }
  for (int i = 0; i < n; i++) {
    last = x[i];
    for (int j = 0; j < n; j++)
      sum += last * a[i][j];
  }
  for (int i = 0; i < n; i++) {
    sum += x[i];
    y[i] = sum;
  }
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] * x[i] + 1;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    z[i] = w[i] + sum;
#pragma endscop
  z[0] = last;
}

extern int next(void);

void rejected(int n, int *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = next();
#pragma endscop
}

int directives(int n, int *restrict a) {
  int s = 0;
#pragma scop
#pragma omp parallel for
  for (int i = 2; i < n; i++)
    a[i] = a[i - 2] + 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  for (int i = 0; i < n; i++)
    s = (char) (s + a[i]);
#pragma endscop
  return s;
}
