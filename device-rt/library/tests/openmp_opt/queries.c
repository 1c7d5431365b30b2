// Queries with the same result are made once; those of the mode and the level are folded.
//= calls nothing
//= none .local
//= none barrier.sync
//= at most 1 %tid.x;
//= at most 1 %ntid.x;
//= fails with -openmp-opt-disable-folding
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_level(void);
void query(int *a) {
#pragma omp target parallel map(tofrom : a[0 : 4096])
  {
    int i = omp_get_thread_num();
    a[i] += omp_get_num_threads() + omp_get_level();
    a[i] += omp_get_thread_num() + omp_get_num_threads();
  }
}
