/* Chunks of a long signal, filtered on the device while others are copied: asynchronous regions with
 * dependences, on device memory that the program allocates.
 * warpfold cc -O2 pipeline.c -o pipeline && warpfold run ./pipeline */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 14, CHUNK = 1 << 11, CHUNKS = N / CHUNK, BUFFERS = 2, TAPS = 5 };

static const int taps[TAPS] = {1, 4, 6, 4, 1};

#pragma omp begin declare target
static int filtered(const int *signal, const int *weights, int i) {
  int sum = 0;
  for (int t = 0; t < TAPS; t++) sum += weights[t] * signal[i + t];
  return sum;
}
#pragma omp end declare target

int main(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  static int signal[N + TAPS - 1], out[N];
  long total = 0, expected = 0;
  for (int i = 0; i < N + TAPS - 1; i++) signal[i] = i * 7919 % 256 - 128;

  int *in[BUFFERS], *weights = omp_target_alloc(sizeof taps, device);
  for (int b = 0; b < BUFFERS; b++) in[b] = omp_target_alloc((CHUNK + TAPS - 1) * sizeof(int), device);
  if (!weights || !in[0] || !in[1] || omp_target_memcpy(weights, taps, sizeof taps, 0, 0, device, host)) {
    fprintf(stderr, "no memory on the device\n");
    return 1;
  }
  long sums[CHUNKS] = {0};
#pragma omp target enter data map(alloc : out) map(to : sums)
#pragma omp parallel
#pragma omp single
  for (int c = 0; c < CHUNKS; c++) {
    int *buffer = in[c % BUFFERS], *part = signal + c * CHUNK;
#pragma omp task depend(out : buffer[0]) firstprivate(buffer, part)
    omp_target_memcpy(buffer, part, (CHUNK + TAPS - 1) * sizeof(int), 0, 0, device, host);
#pragma omp target teams distribute parallel for nowait depend(inout : buffer[0]) depend(out : out[c * CHUNK]) \
    is_device_ptr(buffer, weights) firstprivate(c)
    for (int i = 0; i < CHUNK; i++) out[c * CHUNK + i] = filtered(buffer, weights, i);
#pragma omp target nowait depend(in : out[c * CHUNK]) firstprivate(c)
    for (int i = 0; i < CHUNK; i++) sums[c] += out[c * CHUNK + i];
  }
  /* The end of the parallel region waits for all of them. */
#pragma omp target exit data map(from : out, sums)
  for (int b = 0; b < BUFFERS; b++) omp_target_free(in[b], device);
  omp_target_free(weights, device);

  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int want = filtered(signal, taps, i);
    wrong += out[i] != want;
    expected += want;
  }
  for (int c = 0; c < CHUNKS; c++) total += sums[c];
  wrong += total != expected;
  printf("%d chunks, sum %ld\n", CHUNKS, total);
  printf("%d values differ from the host's\n", wrong);
  return wrong != 0;
}
