// Linear systems: LU with pivoting in double, Cholesky in float, Jacobi's iteration.

enum { N = 6 };

static int lu(double (*a)[N], int *pivot) {
  int sign = 1;
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++)
      if (__builtin_fabs(a[i][k]) > __builtin_fabs(a[p][k]))
        p = i;
    pivot[k] = p;
    if (p != k) {
      sign = -sign;
      for (int j = 0; j < N; j++) {
        double t = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = t;
      }
    }
    for (int i = k + 1; i < N; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
  return sign;
}

static void solve(double (*a)[N], const int *pivot, double *b) {
  for (int k = 0; k < N; k++) {
    double t = b[k];
    b[k] = b[pivot[k]];
    b[pivot[k]] = t;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      b[i] -= a[i][j] * b[j];
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

static float cholesky(float (*a)[4]) {
  float trace = 0;
  for (int j = 0; j < 4; j++) {
    for (int k = 0; k < j; k++)
      a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = __builtin_sqrtf(a[j][j]);
    trace += a[j][j];
    for (int i = j + 1; i < 4; i++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  return trace;
}

void item(const u32 *in, u32 *out) {
  double a[N][N], b[N], determinant;
  int pivot[N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[i][j] = (i32)in[i * N + j] * 0x1p-28;
    b[i] = (i32)in[40 + i] * 0x1p-30;
  }
  determinant = lu(a, pivot);
  for (int i = 0; i < N; i++)
    determinant *= a[i][i];
  solve(a, pivot, b);
  __builtin_memcpy(out, &determinant, 8);
  __builtin_memcpy(out + 2, b, 40);
  float s[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j <= i; j++)
      s[i][j] = s[j][i] = i == j ? 5.0f + (float)(in[50 + i] >> 28) : (i32)in[54 + i + j] * 0x1p-31f;
  float trace = cholesky(s);
  __builtin_memcpy(out + 12, &trace, 4);
  float x[4] = {0, 0, 0, 0};
  for (int round = 0; round < 8; round++) {
    float y[4];
    for (int i = 0; i < 4; i++) {
      float sum = (float)i - 1.5f;
      for (int j = 0; j < 4; j++)
        if (j != i)
          sum -= x[j] / (float)(1 + i + j);
      y[i] = sum / (4.0f + (float)(in[60 + i] >> 30));
    }
    __builtin_memcpy(x, y, sizeof x);
  }
  __builtin_memcpy(out + 13, x, 12);
}
