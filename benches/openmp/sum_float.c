// As sum.c of floats. Parameters: n t c
float sum(const float *c, int n) {
  float t = 0;
#pragma omp target teams distribute parallel for reduction(+ : t) map(to : c[0 : n])
  for (int i = 0; i < n; i++) t += c[i];
  return t;
}
