#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Calls the loop functions of the runtime as flang does. */
#pragma omp begin declare target
typedef void body_32(uint32_t iteration, void *argument);
typedef void body_64(uint64_t iteration, void *argument);
#ifdef __NVPTX__
#define DEVICE(declaration) declaration;
#else
#define DEVICE(declaration) static declaration {}
#endif
DEVICE(void __kmpc_for_static_loop_4u(void *at, body_32 *body, void *argument, uint32_t trips, uint32_t threads,
                                      uint32_t thread_chunk, uint8_t once))
DEVICE(void __kmpc_distribute_static_loop_4u(void *at, body_32 *body, void *argument, uint32_t trips,
                                             uint32_t block_chunk, uint8_t once))
DEVICE(void __kmpc_distribute_for_static_loop_4u(void *at, body_32 *body, void *argument, uint32_t trips,
                                                 uint32_t threads, uint32_t block_chunk, uint32_t thread_chunk,
                                                 uint8_t once))
DEVICE(void __kmpc_distribute_for_static_loop_8u(void *at, body_64 *body, void *argument, uint64_t trips,
                                                 uint64_t threads, uint64_t block_chunk, uint64_t thread_chunk,
                                                 uint8_t once))
static void once_more_32(uint32_t iteration, void *argument) {
#pragma omp atomic
  ((int *)argument)[iteration]++;
}
static void once_more_64(uint64_t iteration, void *argument) {
#pragma omp atomic
  ((int *)argument)[iteration]++;
}
#pragma omp end declare target

enum { MOST = 5000, TEAMS = 3, THREADS = 64 };
static int failures;

static void check(const char *what, const int *times, int trips, int each, int chunk) {
  for (int i = 0; i < MOST; i++)
    if (times[i] != (i < trips ? each : 0)) {
      failures++;
      printf("%s, %d trips by %d: iteration %d ran %d times\n", what, trips, chunk, i, times[i]);
      return;
    }
}

int main(void) {
  static int times[MOST];
  static const int trips[] = {0, 1, 63, 64, 65, 1000, MOST}, chunks[] = {0, 1, 7, 64, 300};
  for (int t = 0; t < 7; t++)
    for (int c = 0; c < 5; c++) {
      int n = trips[t], chunk = chunks[c], block_chunk = chunks[(c + t) % 5];
      memset(times, 0, sizeof times);
      /* Every team runs the whole loop. */
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(tofrom : times)
#pragma omp parallel
      __kmpc_for_static_loop_4u(0, once_more_32, times, n, THREADS, chunk, 0);
      check("for", times, n, TEAMS, chunk);

      memset(times, 0, sizeof times);
      /* Every thread runs its team's part. */
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(tofrom : times)
#pragma omp parallel
      __kmpc_distribute_static_loop_4u(0, once_more_32, times, n, chunk, 0);
      check("distribute", times, n, THREADS, chunk);

      memset(times, 0, sizeof times);
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(tofrom : times)
#pragma omp parallel
      __kmpc_distribute_for_static_loop_4u(0, once_more_32, times, n, THREADS, block_chunk, chunk, 0);
      check("distribute for", times, n, 1, chunk);

      memset(times, 0, sizeof times);
#pragma omp target teams num_teams(TEAMS) thread_limit(THREADS) map(tofrom : times)
#pragma omp parallel
      __kmpc_distribute_for_static_loop_8u(0, once_more_64, times, n, THREADS, block_chunk, chunk, 0);
      check("distribute for, 64 bits", times, n, 1, chunk);
    }
  printf("%d failures\n", failures);
  return failures != 0;
}
