// As nested.c in generic mode: the main thread calls a function that LLVM cannot analyse. Parameters: n a s
#pragma omp begin declare target
__attribute__((noinline)) int unknown(int row) {
  __asm__ volatile("" : "+r"(row));
  return row;
}
#pragma omp end declare target
double generic(const double *a, int n) {
  double s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i += 1024) {
    double row = 0;
    int first = unknown(i);
#pragma omp parallel for reduction(+ : row)
    for (int j = first; j < (i + 1024 < n ? i + 1024 : n); j++) row += a[j];
    s += row;
  }
  return s;
}
