void f(int n, int *histogram, const int *key) {
#pragma scop
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    histogram[key[i]]++;
  }
  {
    for (int i = 0; i < n; ++i) {
      if (i > 2) { if (i < 5) histogram[i] = 0; } else histogram[i] &= 3;
      ;
    }
  }
#pragma endscop
}
