// The stride of a loop is known in blocks of usual size: four loads of each thread are in flight, 1024 bytes apart.
//= calls nothing
//= none .local
//= some ld.global.b64
//= some , 4096;
//= fails with -unroll-runtime=false
double loads(const double *a, int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
