// A reduction of the whole grid: the callbacks are inlined, and the list of variables is in registers.
// The threads' nesting is known at compile time: it is never read (arch/state.ll).
// One barrier and one vote are those of a last block whose slots are the image's.
//= calls nothing
//= none ld.shared.b8
//= none .local
//= none barrier.sync
//= at most 17 bar.sync
//= at most 54 shfl.sync
//= at most 2 bar.red.or.pred
//= some fence.acq_rel.gpu
//= fails with -openmp-opt-disable-folding
double sum(const double *a, long n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (long i = 0; i < n; i++) s += a[i];
  return s;
}
