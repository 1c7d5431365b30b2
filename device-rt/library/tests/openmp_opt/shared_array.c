// A variable that threads share is a static one in shared memory, not allocated in the heap.
//= calls nothing
//= none .local
//= some .shared .align 16 .b8 _shared[256]
//= at most 6 bar.sync
//= fails with -openmp-opt-disable-deglobalization
void reversed(int *a) { // OMP111
#pragma omp target map(tofrom : a[0 : 64]) // OMP120
  {
    int buffer[64]; // OMP111
    for (int i = 0; i < 64; i++) buffer[i] = a[i] + 1;
#pragma omp parallel for // OMP101
    for (int i = 0; i < 64; i++) a[i] = buffer[63 - i];
  }
}
